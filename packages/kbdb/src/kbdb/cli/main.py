"""The console script; it imports little, so that an early Ctrl-C ends as well as a late one."""

import sys

from kbdb.cli.exit_code import INTERRUPTED


def main() -> None:
    """Run ``kbdb`` with the arguments of this process and exit with its code."""
    try:
        from kbdb.cli.edge import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("interrupted\n")
        code = INTERRUPTED
    sys.exit(code)
