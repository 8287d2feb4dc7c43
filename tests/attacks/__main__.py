"""`python -m tests.attacks`: attack the command line; exit 1 if anything was found."""

import argparse
import secrets
import sys
from time import monotonic

from .command_line import Siege, command_line


def main() -> int:
    """Attack as long as the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**31))
    parser.add_argument("--seconds", type=float, default=480.0)
    parser.add_argument("--most", type=int, help="calls; by default no limit")
    given = parser.parse_args()
    print(f"attacks: seed {given.seed}", file=sys.stderr, flush=True)
    siege, began, found = Siege(given.seed, given.seconds, given.most), monotonic(), 0
    for line in command_line(siege):
        found += 1
        print(line, flush=True)
    tried = ", ".join(f"{n:,} {what}" for what, n in siege.tried.items()) or "nothing"
    print(f"{tried} in {monotonic() - began:.0f} s, seed {given.seed}: {found} found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
