"""`python -m benchmarks.mutations`: the share of random faults that our proofs find.

Each row puts one fault into a right circuit: a gate dropped, changed or moved, two qubits swapped
in the final layout, or a further flip or sign on a rare branch. Only the proof is tested, not
native gates and couplings. Faults that it misses are checked by other means: whether the gates
around the fault are equivalent, on any input or on the states that occur there.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.mutations.faults import KINDS, fault
from benchmarks.mutations.subjects import PROVEN, SUBJECTS, Subject, subject_of

COLUMNS = ("faults", "refuted", "not proven", "taken for right", "of these harmless")


def results(
    name: str, subject: Subject, numbers: range, seed: int, recorded: dict[int, Any]
) -> Iterator[dict[str, Any]]:
    """Yield the results of a subject's faults, known ones from the file."""
    for number in numbers:
        if number in recorded:
            yield recorded[number]
            continue
        kind, faulty = fault(subject.circuit, subject.layout, name, number, seed)
        verdict = subject.verdict(faulty)
        harmless = subject.harmless(faulty) if verdict == PROVEN else ""
        yield {
            "circuit": name,
            "number": number,
            "seed": seed,
            "kind": kind,
            "what": faulty.what,
            "verdict": verdict,
            "harmless": harmless,
        }


def row(faults_: list[dict[str, Any]]) -> tuple[str, ...]:
    """Return the figures of some faults, in the order of `COLUMNS`."""
    verdicts = Counter(each["verdict"] for each in faults_)
    harmless = sum(bool(each["harmless"]) for each in faults_)
    figures = (
        len(faults_), verdicts["refuted"], verdicts["not proven"], verdicts[PROVEN], harmless,
    )  # fmt: skip
    return tuple(f"{n:,}" for n in figures)


def table(faults_: list[dict[str, Any]]) -> Table:
    """Return a table of circuits and kinds of faults."""
    result = Table("circuit", "kind", *COLUMNS, box=box.MARKDOWN)
    for name in dict.fromkeys(each["circuit"] for each in faults_):
        mine = [each for each in faults_ if each["circuit"] == name]
        for kind in KINDS:
            result.add_row(name, kind, *row([each for each in mine if each["kind"] == kind]))
        result.add_row(name, "all", *row(mine))
    return result


def _known(path: Path | None, seed: int) -> list[dict[str, Any]]:
    if path is None or not path.exists():
        return []
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [line for line in lines if line["seed"] == seed]


def main() -> None:
    """Insert faults, and print the results."""
    parser = argparse.ArgumentParser(prog="benchmarks.mutations", description=__doc__)
    parser.add_argument("--faults", type=int, default=1000, help="of each circuit [1000]")
    parser.add_argument("--circuit", choices=list(SUBJECTS), action="append", help="only this")
    parser.add_argument("--seconds", type=float, default=3600, help="for each circuit [3600]")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="a file that results are added to, and read from")
    options = parser.parse_args()
    if options.faults < 1:
        parser.error(f"--faults {options.faults}: write 1 or more")
    recorded = _known(options.keep, options.seed)
    rows: list[dict[str, Any]] = []
    for name in options.circuit or SUBJECTS:
        mine = {entry["number"]: entry for entry in recorded if entry["circuit"] == name}
        numbers = range(options.faults)
        if all(number in mine for number in numbers):
            rows += [mine[number] for number in numbers]
            continue
        subject, until = subject_of(name), monotonic() + options.seconds
        for result in results(name, subject, numbers, options.seed, mine):
            rows.append(result)
            print(f"\r{name}: {result['number'] + 1:,} faults", end="", file=sys.stderr)
            if options.keep is not None and result["number"] not in mine:
                with options.keep.open("a") as file:
                    print(json.dumps(result), file=file)
            if monotonic() > until:
                break
        print(file=sys.stderr)
    console = Console(width=200)
    console.print(table(rows))
    for row in rows:
        if row["verdict"] == PROVEN and not row["harmless"]:
            print(f"{row['circuit']}, fault {row['number']}: {row['what']} is not found")
    counts = Counter(entry["circuit"] for entry in rows)
    print(
        f"one fault in each copy of a right circuit, seed {options.seed}; "
        + ", ".join(f"{number:,} in {name}" for name, number in counts.items())
    )


if __name__ == "__main__":
    main()
