"""A score as tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from compiler.words.plurals import how_many
from service.cli.output.printing import print_rows


def print_score(found: Mapping[str, Any]) -> None:
    """Print the number, its families and its parts."""
    parts, nothing = found["parts"], dict.fromkeys(("score", "low", "high"))
    total = sum(part["weight"] for part in parts)
    print_rows(
        f"Score suite {found['suite']} on {found['backend']}: 1 exact, 0 noise",
        [
            (part | nothing if part["outcome"] == "failed" else part,
             f"{100 * part['weight'] / total:.1f} %",
             ": ".join(filter(None, (part["outcome"], part["why"]))))
            for part in parts
        ],
        "part=0.name", "0.family", "weight=1", "0.score", "0.low", "0.high",
        "fidelity=0.hellinger_fidelity", "0.noise", "legal=0.legal_fraction",
        "two-qubit gates (from |0…0⟩)=0.two_qubit_gates", "0.qubits", "0.job", "outcome=2",
    )  # fmt: skip
    print_rows("Families", found["families"].items(), "family=0", "score=1")
    volume = ", ".join(f"{cards} cards at {at}" for at, cards in found["game_volume"].items())
    print(f"game volume: {volume}")
    print(score_line(found))


def print_machines(scores: Sequence[Mapping[str, Any]], width: int) -> None:
    """Write the scores of machines that a job has led to, each as one number.

    Args:
        scores: their documents.
        width: of a line.
    """
    played = [sum(part["outcome"] == "played" for part in one["parts"]) for one in scores]
    print_rows(
        "Its scores of machines",
        [
            (one, one if one["complete"] else None, f"{count} of {len(one['parts'])}")
            for one, count in zip(scores, played, strict=True)
        ],
        "0.backend", "0.suite", "1.score", "1.low", "1.high", "0.complete", "parts played=2",
        width=width,
    )  # fmt: skip


def score_line(found: Mapping[str, Any]) -> str:
    """Return the number in one line."""
    told = f"{found['suite']} on {found['backend']}, run {found['run']}"
    if not found["complete"]:
        missing = sum(part["outcome"] == "failed" for part in found["parts"])
        parts = how_many(missing, "part")
        return f"score {told}: not complete, {parts} failed; the same --run goes on"
    low, high = found["low"], found["high"]
    return f"score {told}: {found['score']:.3f} (95 %: {low:.3f} to {high:.3f})"
