"""A score as tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from compiler.words.plurals import how_many
from service.cli.output.printing import print_table


def print_score(found: Mapping[str, Any]) -> None:
    """Print the number, its families and its parts."""
    print_table(
        f"Score suite {found['suite']} on {found['backend']}: 1 exactly, 0 noise",
        ("part", "family", "weight", "score", "95 %", "fidelity", "noise", "legal",
         "two-qubit gates (from |0…0⟩)", "qubits", "job", "what came of it"),
        [_row(part, found) for part in found["parts"]],
    )  # fmt: skip
    families = [(name, f"{value:.3f}") for name, value in found["families"].items()]
    print_table("Families", ("family", "score"), families)
    volume = ", ".join(
        f"{cards} cards at {threshold}" for threshold, cards in found["game_volume"].items()
    )
    print(f"game volume: {volume}")
    print(score_line(found))


def print_machines(scores: Sequence[Mapping[str, Any]], width: int) -> None:
    """Write the scores of machines that a job has led to, each as one number.

    Args:
        scores: their documents.
        width: of a line.
    """
    rows = [
        (
            one["backend"],
            one["suite"],
            f"{one['score']:.3f}" if one["complete"] else "not complete",
            f"{one['low']:.3f} to {one['high']:.3f}" if one["complete"] else None,
            f"{sum(part['outcome'] == 'played' for part in one['parts'])} of {len(one['parts'])}",
        )
        for one in scores
    ]
    columns = ("backend", "suite", "score", "95 % interval", "parts played")
    print_table("Its scores of machines", columns, rows, width)


def score_line(found: Mapping[str, Any]) -> str:
    """Return the number in one line."""
    told = f"{found['suite']} on {found['backend']}, run {found['run']}"
    if not found["complete"]:
        missing = sum(part["outcome"] == "failed" for part in found["parts"])
        parts = how_many(missing, "part")
        return f"score {told}: not complete, {parts} failed; the same --run goes on"
    low, high = found["low"], found["high"]
    return f"score {told}: {found['score']:.3f} (95 %: {low:.3f} to {high:.3f})"


def _row(part: Mapping[str, Any], found: Mapping[str, Any]) -> tuple[object, ...]:
    total = sum(one["weight"] for one in found["parts"])
    share = f"{100 * part['weight'] / total:.1f} %"
    if part["outcome"] != "played":
        told = f"{part['outcome']}: {part['why']}"
        nothing = (None,) * 6
        return (part["name"], part["family"], share, "0" if part["outcome"] != "failed" else None,
                None, *nothing, told)  # fmt: skip
    return (
        part["name"], part["family"], share, f"{part['score']:.3f}",
        f"{part['low']:.3f} to {part['high']:.3f}", f"{part['hellinger_fidelity']:.3f}",
        f"{part['noise']:.3f}", f"{part['legal_fraction']:.3f}", part["two_qubit_gates"],
        part["qubits"], part["job"], "played",
    )  # fmt: skip
