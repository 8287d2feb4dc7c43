"""`python -m tests.attacks`: attack the program on all fronts; exit 1 if anything was found."""

import argparse
import secrets
import sys
from collections.abc import Sequence
from time import monotonic
from typing import Any

from .attack import Attack, Siege, attacks, discover_attacks


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the attacks that the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    parser.add_argument("--only", action="append", metavar="NAME", help="may be repeated")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**31))
    parser.add_argument("--seconds", type=float, default=480.0, help="for all attacks together")
    parser.add_argument("--most", type=int, help="tries of each attack; by default no limit")
    given = parser.parse_args(arguments)
    discover_attacks()
    unknown = set(given.only or ()) - set(attacks)
    if unknown:
        parser.error(f"no attack {', '.join(sorted(unknown))}; known: {', '.join(attacks)}")
    print(f"attacks: seed {given.seed}", file=sys.stderr, flush=True)
    chosen = [one for name, one in attacks.items() if not given.only or name in given.only]
    began, rows = monotonic(), []
    for place, one in enumerate(chosen):
        left = max(0.0, given.seconds - (monotonic() - began)) / (len(chosen) - place)
        rows.append(_carried_out(one, Siege(given.seed, left, given.most)))
        _print(rows[-1])
    found = sum(len(row["findings"]) for row in rows)
    tried = sum(sum(row["tried"].values()) for row in rows)
    print(
        f"{len(rows)} attacks, {tried:,} tries in {monotonic() - began:.0f} s, "
        f"seed {given.seed}: {f'{found} found' if found else 'nothing found'}"
    )
    return 1 if found else 0


def _carried_out(one: Attack, siege: Siege) -> dict[str, Any]:
    began = monotonic()
    findings = list(one.run(siege))
    return {
        "attack": one.name,
        "tried": dict(siege.tried),
        "findings": findings,
        "cut_short": siege.over(),
        "seconds": round(monotonic() - began, 1),
    }


def _print(row: dict[str, Any]) -> None:
    tried = ", ".join(f"{n:,} {what}" for what, n in row["tried"].items()) or "nothing"
    short = ", time was up" if row["cut_short"] else ""
    found = f"{len(row['findings'])} found" if row["findings"] else "nothing found"
    print(f"{row['attack']}: {tried} in {row['seconds']:.0f} s{short}: {found}", flush=True)
    for line in row["findings"]:
        print(f"  {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
