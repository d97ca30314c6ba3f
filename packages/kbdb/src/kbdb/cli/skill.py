"""``kbdb skill``: prompt templates that agents can use."""

from typing import TYPE_CHECKING

import click

from kbdb.cli import params
from kbdb.cli.command import ExampleCommand, ExampleGroup
from kbdb.cli.given_text import given_text
from kbdb.cli.invocation import Invocation, base_options, pass_invocation
from kbdb.cli.json_view import view
from kbdb.cli.output import painted, write_json, write_line
from kbdb.cli.text import harmless_block, harmless_line
from kbdb.kbid import is_kbid
from kbdb.model import Skill, SkillArgument

if TYPE_CHECKING:
    from kbdb.base import KnowledgeBase


@click.group(
    "skill",
    cls=ExampleGroup,
    examples=("kbdb skill list", "kbdb skill get code-review"),
)
@base_options
def skill() -> None:
    """Learn, list, show and delete skills: prompt templates that agents can use."""


@skill.command(
    "learn",
    cls=ExampleCommand,
    examples=(
        "kbdb skill learn --name greet --body 'Greet {{who}}.' --argument 'who!:a name'",
        "kbdb skill learn --name code-review --description 'Review a diff' --body-file review.md",
    ),
)
@click.option("--name", required=True, type=params.text, help="Name of the skill.")
@click.option("--description", default="", type=params.text, help="What the skill is for.")
@click.option("--body", metavar="TEXT", type=params.text, help="The template.")
@click.option(
    "--body-file",
    metavar="FILE|-",
    type=click.Path(allow_dash=True, readable=False),
    help="File that holds the template.",
)
@click.option(
    "--argument",
    "arguments",
    metavar="NAME[!][:TEXT]",
    multiple=True,
    type=params.skill_argument,
    help="A {{NAME}} of the template, with ! when it is required, and what it is. Repeatable.",
)
@base_options
@pass_invocation
def learn(
    invocation: Invocation,
    name: str,
    description: str,
    body: str | None,
    body_file: str | None,
    arguments: tuple[SkillArgument, ...],
) -> None:
    """Learn a skill: a prompt template.

    Its {{placeholders}} are the skill's arguments.
    """
    template = given_text("body", body, body_file)
    with invocation.writing() as base:
        learned = base.skill_learn(name, description, template, arguments)
    if invocation.as_json:
        write_json(view(learned))
    else:
        write_line(f"learned skill {harmless_line(learned.name)} as {learned.kbid}")


@skill.command("list", cls=ExampleCommand, examples=("kbdb skill list --json",))
@base_options
@pass_invocation
def list_(invocation: Invocation) -> None:
    """List the skills."""
    with invocation.open_base() as base:
        skills = base.skill_list()
    if invocation.as_json:
        write_json({"skills": [view(one) for one in skills]})
        return
    if not skills:
        write_line("no skills yet; learn one with `kbdb skill learn`")
    for one in skills:
        name, about = harmless_line(one.name), harmless_line(one.description)
        write_line(f"{painted(one.kbid, dim=True)}  {painted(name, bold=True)}  {about}".rstrip())


@skill.command(
    "get",
    cls=ExampleCommand,
    examples=("kbdb skill get code-review", "kbdb skill get 3f7k2m9q4r8s5t6v7w8x9y0z1a --json"),
)
@click.argument("ident", metavar="NAME|KBID", type=params.ident)
@base_options
@pass_invocation
def get(invocation: Invocation, ident: str) -> None:
    """Show a skill."""
    with invocation.open_base() as base:
        found = _found(base, ident)
    if invocation.as_json:
        write_json(view(found))
        return
    write_line(painted(harmless_line(found.name), bold=True))
    write_line(painted(f"id: {found.kbid}", dim=True))
    if found.description:
        write_line(painted(f"about: {harmless_line(found.description)}", dim=True))
    for argument in found.arguments:
        need = " (required)" if argument.required else ""
        about = f": {harmless_line(argument.description)}" if argument.description else ""
        write_line(painted(f"argument: {harmless_line(argument.name)}{need}{about}", dim=True))
    write_line()
    write_line(harmless_block(found.body).strip("\n"))


@skill.command("delete", cls=ExampleCommand, examples=("kbdb skill delete code-review",))
@click.argument("ident", metavar="NAME|KBID", type=params.ident)
@base_options
@pass_invocation
def delete(invocation: Invocation, ident: str) -> None:
    """Delete a skill.

    Agents that use it keep the reference and say that it is gone.
    """
    with invocation.writing() as base:
        kbid = ident if is_kbid(ident) else _found(base, ident).kbid
        result = base.skill_delete(kbid)
    if invocation.as_json:
        write_json(view(result))
    else:
        write_line(f"deleted skill {result.kbid}")


def _found(base: "KnowledgeBase", ident: str) -> Skill:
    return base.skill_get(kbid=ident) if is_kbid(ident) else base.skill_get(name=ident)
