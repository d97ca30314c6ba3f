"""Write the reference pages from the code: commands, JSON, errors, Python, settings.

``python docs/generate.py`` writes them; with ``--check`` it writes nothing and fails when one
differs from what it would write.
"""

import dataclasses
import enum
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

import kbdb
from kbdb.cli.json_view import COMMANDS, FIELDS
from kbdb.cli.root import root as root_command
from kbdb.config import SETTINGS_TEXT, Config

REFERENCE = Path(__file__).parent / "reference"
NOTICE = "<!-- Written by docs/generate.py; edit the code it describes and run `make docs`. -->\n"
EXIT_CODES = {
    0: "done",
    1: "failed, for a reason the message names",
    2: "wrong usage: an option, a value, a setting",
    3: "cancelled, or confirmation was needed and nobody gave it",
    4: "what was named does not exist",
    5: "another process is writing",
    10: "stored data is damaged",
    11: "written by a newer kbdb",
    130: "interrupted by Ctrl-C",
    141: "whoever read the output stopped reading",
}
ERRORS_INTRO = """\
# Errors and exit codes

Every error says what happened and, as a hint, what to do next. In Python it is an exception below
`KbdbError`. In the shell it is two lines on stderr and an exit code; with `--json` an object with
`code`, `message` and `hint` is printed besides.
"""
SETTINGS_INTRO = """\
# Settings

Settings are in `worker.toml` in the folder of the knowledge base. The environment wins over the
file. `kbdb db init` writes the file with every key commented out, so that it lists what can be set;
a name that does not exist is an error that names the nearest one.

`KBDB_DIR` is no setting of a base: it names the base's folder where `--db` does not.

"""


def cli_page() -> str:
    """Return the page of all commands: the help that each of them prints."""
    intro = (
        "# Commands\n\n"
        "What `kbdb COMMAND --help` prints. Every command takes `--db DIR` and `--json` "
        "(but `completion`, which prints a script); "
        "[exit codes](errors.md#exit-codes) are the same for all.\n"
    )
    return NOTICE + intro + "".join(_command_sections(root_command, "kbdb", None))


def _command_sections(
    command: click.Command, name: str, parent: click.Context | None
) -> Iterator[str]:
    settings = {**command.context_settings, "terminal_width": 80, "max_content_width": 80}
    context = click.Context(command, info_name=name, parent=parent, **settings)
    yield f"\n## {context.command_path}\n\n```text\n{context.get_help().rstrip()}\n```\n"
    if isinstance(command, click.Group):
        for child_name in command.list_commands(context):
            child = command.get_command(context, child_name)
            if child is not None:
                yield from _command_sections(child, child_name, context)


def json_page() -> str:
    """Return the page of what ``--json`` prints: first each command, then each kind of object."""
    intro = (
        "# JSON output\n\n"
        "With `--json` a command prints one object on stdout and nothing else. Fields are added in "
        "later versions and never change their meaning.\n\n## Commands\n"
    )
    kind_by_fields = {id(fields): kind.__name__ for kind, fields in FIELDS.items()}
    parts = [NOTICE, intro]
    for command, fields in COMMANDS.items():
        kind = kind_by_fields.get(id(fields))
        shown = f"An object of kind [{kind}](#{kind.lower()}).\n" if kind else _field_list(fields)
        parts.append(f"\n### {command}\n\n{shown}")
    parts.append("\n## Kinds of objects\n")
    parts.extend(
        f"\n### {kind.__name__}\n\n{_field_list(fields)}" for kind, fields in FIELDS.items()
    )
    return "".join(parts)


def _field_list(fields: Mapping[str, str]) -> str:
    return "".join(f"- `{name}`: {meaning}\n" for name, meaning in fields.items())


def errors_page() -> str:
    """Return the page of exit codes and error classes, by exit code."""
    rows = sorted(_public_errors(), key=lambda error: (error.exit_code, error.code))
    exit_rows = [f"| {number} | {meaning} |" for number, meaning in EXIT_CODES.items()]
    error_rows = [
        f"| `{error.code}` | {error.exit_code} | `{error.__name__}` | {_summary(error)} |"
        for error in rows
    ]
    return "\n".join(
        [
            NOTICE + ERRORS_INTRO,
            "## Exit codes\n\n| code | meaning |\n|---:|---|",
            *exit_rows,
            "\nA number is never given a second meaning.\n",
            "## Errors\n\n| code | exit | class | meaning |\n|---|---:|---|---|",
            *error_rows,
            "",
        ]
    )


def _public_errors() -> list[type[kbdb.KbdbError]]:
    found = [getattr(kbdb, name) for name in kbdb.__all__]
    return [
        value for value in found if isinstance(value, type) and issubclass(value, kbdb.KbdbError)
    ]


def python_page() -> str:
    """Return the page of the facade's methods and the values they give."""
    facade = kbdb.KnowledgeBase
    intro = (
        "# Python\n\n"
        "`from kbdb import KnowledgeBase`, and every other name on this page, from `kbdb` itself. "
        "Errors have [a page of their own](errors.md).\n"
    )
    parts = [
        NOTICE + intro,
        f"\n## KnowledgeBase\n\n{_markdown(inspect.getdoc(facade) or '')}\n",
    ]
    for name, member in vars(facade).items():
        if name.startswith("_"):
            continue
        function = getattr(facade, name)
        kind = "@classmethod\n" if isinstance(member, classmethod) else ""
        parts.append(
            f"\n### {name}\n\n```python signature\n{kind}{_signature(name, function)}\n```\n\n"
            f"{_markdown(inspect.getdoc(function) or '')}\n"
        )
    parts.append("\n## Values\n\nFrozen dataclasses, and enumerations of strings.\n")
    parts.extend(_value_section(value) for value in _public_values())
    return "".join(parts)


def _public_values() -> Iterator[type]:
    for name in kbdb.__all__:
        value = getattr(kbdb, name)
        if isinstance(value, type) and not issubclass(value, (kbdb.KbdbError, kbdb.KnowledgeBase)):
            yield value


def _value_section(value: type) -> str:
    head = f"\n### {value.__name__}\n\n{_markdown(inspect.getdoc(value) or '')}\n\n"
    if issubclass(value, enum.Enum):
        return head + "".join(f"- `{member.value}`\n" for member in value)
    assert dataclasses.is_dataclass(value)  # noqa: S101 - every public value is one or the other
    rows = [
        f"| `{field.name}` | `{_type_text(field.type)}` |\n".replace(" | None`", " \\| None`")
        for field in dataclasses.fields(value)
    ]
    return head + "| field | type |\n|---|---|\n" + "".join(rows)


def _signature(name: str, function: object) -> str:
    """Return a signature on one line, or with one parameter a line where that is too long."""
    signature = inspect.signature(function)  # type: ignore[arg-type]  # a method, seen as an object
    parameters = [item for item in signature.parameters.values() if item.name != "self"]
    signature = signature.replace(parameters=parameters)
    text = _clean(f"{name}{signature}")
    if len(text) <= 88:
        return text
    lines = [_clean(str(item)) for item in parameters]
    kinds = [item.kind for item in parameters]
    if inspect.Parameter.KEYWORD_ONLY in kinds:
        lines.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    returned = _type_text(signature.return_annotation)
    return f"{name}(\n" + "".join(f"    {line},\n" for line in lines) + f") -> {returned}"


def _type_text(annotation: object) -> str:
    return _clean(inspect.formatannotation(annotation))


def _clean(text: str) -> str:
    return re.sub(r"\b(?:kbdb\.\w+|typing|collections\.abc|pathlib(?:\._local)?)\.", "", text)


def _summary(value: type) -> str:
    return (inspect.getdoc(value) or "").partition("\n")[0].replace("``", "`")


def _markdown(docstring: str) -> str:
    """Turn a docstring's sections into lists; everything else is Markdown as it stands."""
    text = docstring.replace("``", "`")
    blocks = []
    for block in re.split(r"\n\n+", text):
        title, _, rest = block.partition("\n")
        if title in {"Args:", "Raises:"}:
            joined = re.sub(r"\n        +", " ", rest)
            entries = [_entry(line) for line in joined.split("\n")]
            blocks.append(f"{title}\n\n" + "\n".join(entries))
        elif title in {"Returns:", "Yields:"}:
            blocks.append(f"{title} {inspect.cleandoc(rest)}")
        else:
            blocks.append(block)
    return "\n\n".join(blocks)


def _entry(line: str) -> str:
    """Turn one line of a docstring's ``Args`` or ``Raises`` into a list entry."""
    names, _, meaning = line.strip().partition(": ")
    return f"- {', '.join(f'`{name}`' for name in names.split(', '))}: {meaning}"


def settings_page() -> str:
    """Return the page of settings: the file as it is written first, and each setting's names."""
    config = Config()
    rows = [
        f"| `[{table}] {key}` | `KBDB_{field.name.upper()}` | `{getattr(config, field.name)}` |"
        for field in dataclasses.fields(config)
        for table, _, key in [field.name.partition("_")]
    ]
    head = "| in worker.toml | in the environment | default |\n|---|---|---|\n"
    file = f"\n\n## The file\n\n```toml\n{SETTINGS_TEXT}```\n"
    return NOTICE + SETTINGS_INTRO + head + "\n".join(rows) + file


PAGES = {
    "cli.md": cli_page,
    "errors.md": errors_page,
    "json.md": json_page,
    "python.md": python_page,
    "settings.md": settings_page,
}


def main(arguments: list[str]) -> int:
    """Write the pages, or with ``--check`` name those that differ; return the exit code."""
    stale = []
    for name, page in PAGES.items():
        path = REFERENCE / name
        text = page()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in arguments:
                path.write_text(text, encoding="utf-8")
    if "--check" in arguments and stale:
        sys.stderr.write(f"stale: {', '.join(stale)}; run `make docs`\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
