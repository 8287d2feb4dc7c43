"""The table of the command `estimate`."""

from pathlib import Path

from compiler.words.held_inputs import count_text
from service.cli.output.printing import print_table
from service.results.jobs.estimates import EstimateResult


def print_estimate(result: EstimateResult, path: Path | None) -> None:
    """Print an estimate beside the exact value, and what it took beside sampling."""
    low, high = result.low, result.high
    half, from_zero = (high - low) / 2, result.from_zero
    print_table(
        f"{result.title} of {result.program}, {result.encoding}, by {result.estimator} "
        f"estimation on {result.backend}",
        ("figure", "value"),
        [
            ("estimate", f"{result.estimate:.5f}"),
            (f"interval, {result.confidence:.0%}", f"{low:.5f} to {high:.5f}"),
            ("exact", f"{result.exact:.5f}"),
            ("calls of the program", f"{result.calls:,}"),
            ("calls that sampling takes", f"{result.classical_calls:,}"),
            ("circuits", result.circuits),
            ("shots", f"{result.shots:,}"),
            ("iterates of the deepest circuit", result.deepest),
            (
                "two-qubit gates of the program",
                count_text(result.program_two_qubit_gates, from_zero=from_zero),
            ),
            (
                "two-qubit gates an iterate adds",
                count_text(result.iterate_two_qubit_gates, from_zero=from_zero),
            ),
            ("an iterate adds, in programs", _share(result.iterate_in_programs)),
            ("circuits are proven", ", ".join(result.verified)),
        ],
    )
    if not result.reached:
        print(f"the interval reaches {half:.5f} to either side, not {result.error:g}")
    if not low <= result.exact <= high:
        print("the exact value is outside: noise that the estimator does not know, or chance")
    if path:
        print(f"written to {path}")


def _share(programs: float | None) -> str:
    return "" if programs is None else f"{programs:.2f}"
