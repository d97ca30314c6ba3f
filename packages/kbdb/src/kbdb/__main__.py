"""Run the command line with ``python -m kbdb``."""

from kbdb.cli.main import main

if __name__ == "__main__":
    main()
