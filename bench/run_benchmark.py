"""Run every suite, one after the other; ``--smoke`` does it in sizes that finish in seconds.

A smoke run proves that the suites work and measures nothing worth keeping, so what it misses does
not fail it.
"""

import argparse
import sys
from collections.abc import Sequence

from bench.suites import ingest, known_item, learn, near_duplicate, quality, speed

SUITES = {
    "quality": quality.main,
    "known-item": known_item.main,
    "ingest": ingest.main,
    "speed": speed.main,
    "near-duplicate": near_duplicate.main,
    "learn": learn.main,  # last: it adds to the base that speed measures
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named suites, or all; return 1 if a target was missed by a full run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"any of {', '.join(SUITES)}")
    parser.add_argument("--smoke", action="store_true")
    options = parser.parse_args(arguments)
    unknown = set(options.suites) - SUITES.keys()
    if unknown:
        parser.error(f"no such suite: {', '.join(sorted(unknown))}")
    sizes = ["--smoke"] if options.smoke else []
    missed = [name for name in options.suites or SUITES if SUITES[name](sizes)]
    if missed:
        print(f"\ntargets missed: {', '.join(missed)}")
    return int(bool(missed) and not options.smoke)


if __name__ == "__main__":
    sys.exit(main())
