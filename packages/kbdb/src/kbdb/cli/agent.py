"""``kbdb agent``: personas with a choice of skills."""

from collections.abc import Iterator

import click

from kbdb.cli import params
from kbdb.cli.command import ExampleCommand, ExampleGroup
from kbdb.cli.given_text import given_text
from kbdb.cli.invocation import Invocation, base_options, pass_invocation
from kbdb.cli.json_view import view
from kbdb.cli.output import painted, write_json, write_line
from kbdb.cli.text import harmless_block, harmless_line
from kbdb.model import Agent


@click.group(
    "agent",
    cls=ExampleGroup,
    examples=("kbdb agent list", "kbdb agent get agent-reviewer"),
)
@base_options
def agent() -> None:
    """Create, list, show and delete agents: personas with a choice of skills."""


@agent.command(
    "create",
    cls=ExampleCommand,
    examples=(
        "kbdb agent create --name Reviewer --persona 'You review code.' --skill code-review",
        "kbdb agent create --name Writer --description 'Writes docs' --persona-file writer.md",
    ),
)
@click.option("--name", required=True, type=params.text, help="Name of the agent.")
@click.option("--description", default="", type=params.text, help="What the agent is for.")
@click.option("--persona", metavar="TEXT", type=params.text, help="Who the agent is.")
@click.option(
    "--persona-file",
    metavar="FILE|-",
    type=click.Path(allow_dash=True, readable=False),
    help="File that says who the agent is.",
)
@click.option(
    "--skill",
    "skills",
    metavar="NAME|KBID",
    multiple=True,
    type=params.ident,
    help="A skill the agent uses. Repeatable; the order is kept.",
)
@base_options
@pass_invocation
def create(
    invocation: Invocation,
    name: str,
    description: str,
    persona: str | None,
    persona_file: str | None,
    skills: tuple[str, ...],
) -> None:
    """Create an agent."""
    text = given_text("persona", persona, persona_file)
    with invocation.writing() as base:
        created = base.agent_create(name, description, text, skills)
    if invocation.as_json:
        write_json(view(created))
    else:
        write_line(f"created agent {harmless_line(created.name)} as {created.docid}")


@agent.command("list", cls=ExampleCommand, examples=("kbdb agent list --json",))
@base_options
@pass_invocation
def list_(invocation: Invocation) -> None:
    """List the agents."""
    with invocation.open_base() as base:
        agents = base.agent_list()
    if invocation.as_json:
        write_json({"agents": [view(one) for one in agents]})
        return
    if not agents:
        write_line("no agents yet; create one with `kbdb agent create`")
    for one in agents:
        name, about = harmless_line(one.name), harmless_line(one.description)
        write_line(f"{painted(one.docid, dim=True)}  {painted(name, bold=True)}  {about}".rstrip())


@agent.command("get", cls=ExampleCommand, examples=("kbdb agent get agent-reviewer",))
@click.argument("docid", metavar="DOCID", type=params.text)
@base_options
@pass_invocation
def get(invocation: Invocation, docid: str) -> None:
    """Show an agent with its persona and skills."""
    with invocation.open_base() as base:
        found = base.agent_get(docid)
    if invocation.as_json:
        write_json(view(found))
    else:
        write_line("\n".join(_page(found)))


@agent.command("delete", cls=ExampleCommand, examples=("kbdb agent delete agent-reviewer",))
@click.argument("docid", metavar="DOCID", type=params.text)
@base_options
@pass_invocation
def delete(invocation: Invocation, docid: str) -> None:
    """Delete an agent; its skills stay."""
    with invocation.writing() as base:
        deleted = base.agent_delete(docid)
    if invocation.as_json:
        write_json(view(deleted))
    else:
        write_line(f"deleted agent {deleted.docid}")


def _page(agent: Agent) -> Iterator[str]:
    yield painted(harmless_line(agent.name), bold=True)
    yield painted(f"id: {agent.docid}", dim=True)
    if agent.description:
        yield painted(f"about: {harmless_line(agent.description)}", dim=True)
    for use in agent.skills:
        name = harmless_line(use.skill.name) if use.skill else "(deleted)"
        yield painted(f"skill: {use.kbid}  {name}", dim=True)
    yield ""
    yield harmless_block(agent.persona).strip("\n")
