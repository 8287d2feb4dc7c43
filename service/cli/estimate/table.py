"""The table of the command `estimate`."""

from pathlib import Path
from typing import Any

from compiler.words.held_inputs import count_text
from service.cli.output.printing import print_table


def print_estimate(answer: dict[str, Any], path: Path | None) -> None:
    """Print an estimate beside the exact value, and what it took beside sampling."""
    low, high = answer["low"], answer["high"]
    half, from_zero = (high - low) / 2, answer["from_zero"]
    print_table(
        f"{answer['title']} of {answer['program']}, {answer['encoding']}, by {answer['estimator']} "
        f"estimation on {answer['backend']}",
        ("figure", "value"),
        [
            ("estimate", f"{answer['estimate']:.5f}"),
            (f"interval, {answer['confidence']:.0%}", f"{low:.5f} to {high:.5f}"),
            ("exact", f"{answer['exact']:.5f}"),
            ("calls of the program", f"{answer['calls']:,}"),
            ("calls that sampling takes", f"{answer['classical_calls']:,}"),
            ("circuits", answer["circuits"]),
            ("shots", f"{answer['shots']:,}"),
            ("iterates of the deepest circuit", answer["deepest"]),
            (
                "two-qubit gates of the program",
                count_text(answer["program_two_qubit_gates"], from_zero=from_zero),
            ),
            (
                "two-qubit gates an iterate adds",
                count_text(answer["iterate_two_qubit_gates"], from_zero=from_zero),
            ),
            ("an iterate adds, in programs", _share(answer["iterate_in_programs"])),
            ("circuits are proven", ", ".join(answer["verified"])),
        ],
    )
    if not answer["reached"]:
        print(f"the interval reaches {half:.5f} to either side, not {answer['error']:g}")
    if not low <= answer["exact"] <= high:
        print("the exact value is outside: noise that the estimator does not know, or chance")
    if path:
        print(f"written to {path}")


def _share(programs: float | None) -> str:
    return "" if programs is None else f"{programs:.2f}"
