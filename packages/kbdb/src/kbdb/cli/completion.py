"""``kbdb completion``: the script that teaches a shell to complete kbdb."""

import click
from click.shell_completion import ShellComplete, get_completion_class

from kbdb.cli import params
from kbdb.cli.command import ExampleCommand
from kbdb.cli.output import write_bytes
from kbdb.errors import UnknownValueError

_SHELLS = ("bash", "zsh", "fish")


@click.command(
    "completion",
    cls=ExampleCommand,
    examples=(
        'eval "$(kbdb completion bash)"     # in ~/.bashrc',
        'eval "$(kbdb completion zsh)"      # in ~/.zshrc',
        "kbdb completion fish > ~/.config/fish/completions/kbdb.fish",
    ),
)
@click.argument("shell", type=params.text, shell_complete=params.completes(_SHELLS))
def completion(shell: str) -> None:
    """Print the script that makes SHELL (bash, zsh or fish) complete kbdb."""
    completer = get_completion_class(shell) if shell in _SHELLS else None
    if completer is None:
        raise UnknownValueError("shell", shell, _SHELLS)
    # The base class's method: bash's own first starts a bash to ask for its version.
    script = ShellComplete.source(completer(click.Command("kbdb"), {}, "kbdb", "_KBDB_COMPLETE"))
    write_bytes(script.encode())
