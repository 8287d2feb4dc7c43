"""What a job measured, outcome by outcome, against the exact distribution."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from attrs import frozen

from compiler.judge import Judge, Kind, Number

MOST_ROWS = 24


@frozen
class Row:
    """One line of a histogram: an outcome, or several taken together.

    Args:
        label: what the outcome is called.
        shots: how often it was measured.
        exact: its exact probability; None if that is not known.
        noise: its probability under uniform noise; None if that is not known.
        kind: `win`, `loss`, `others` or `illegal`; `bits` of a circuit.
    """

    label: str
    shots: int
    exact: Number | None
    noise: float | None
    kind: str


def outcome_rows(
    judge: Judge, counts: Mapping[int | None, int], noise: Mapping[int | None, float] | None
) -> list[Row]:
    """Return the most probable outcomes, all others, and all that should not be there together.

    Args:
        judge: names outcomes and gives their exact distribution.
        counts: shots by outcome, None for the illegal ones.
        noise: probability by outcome if all bits are uniform; None if that is not known.

    Raises:
        GameTooLargeError: if the exact distribution is too large to be enumerated.
    """
    exact = judge.exact_distribution()
    outside = {o for o in (*counts, *(noise or ())) if o not in exact}
    ranked = sorted(exact, key=lambda outcome: (-exact[outcome], judge.describe(outcome)))

    def row(label: str, outcomes: Sequence[int | None], kind: str) -> Row:
        return Row(
            label,
            sum(counts.get(o, 0) for o in outcomes),
            sum((exact.get(o, 0) for o in outcomes if o is not None), Fraction(0)),
            None if noise is None else sum(noise.get(o, 0.0) for o in outcomes),
            kind,
        )

    rows = [row(judge.describe(o), [o], _kind(judge, o)) for o in ranked[:MOST_ROWS]]
    if rest := ranked[MOST_ROWS:]:
        rows.append(row(f"{len(rest):,} others", rest, "others"))
    return [*rows, row(judge.outside, list(outside | {None}), "illegal")]


def _kind(judge: Judge, outcome: int) -> str:
    """Return how an outcome is drawn: by the most important event, if there is one."""
    event = next((one for one in judge.observables if one.kind is Kind.EVENT), None)
    return "win" if event is None or event.value(outcome) else "loss"


def bit_rows(counts: Mapping[int, int], bits: int) -> list[Row]:
    """Return the bit strings that were measured most often, and all others together.

    Args:
        counts: shots by measured bits.
        bits: number of classical bits; bit 0 is written on the right.
    """
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rows = [
        Row(format(outcome, f"0{max(1, bits)}b"), shots, None, None, "bits")
        for outcome, shots in ranked[:MOST_ROWS]
    ]
    if rest := ranked[MOST_ROWS:]:
        shots = sum(shots for _, shots in rest)
        rows.append(Row(f"{len(rest):,} others", shots, None, None, "others"))
    return rows
