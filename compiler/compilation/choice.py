"""Which results are proven, and which of them is chosen."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from compiler.compilation.calls import Each, Listener
from compiler.compilation.proof import Claim, prove_claim
from compiler.errors import LoweringError, VerificationError
from compiler.lowering.figures import Figures
from compiler.lowering.portfolio import best, ranked
from compiler.verification.program import Verdict

PROOFS = ("exact", "sampled", "unverified")
"""How far a circuit may be proven that is chosen, the best first."""


def prove_until_sure(
    claims: Sequence[Claim],
    figures: Sequence[Figures],
    objective: str,
    each: Each,
    listener: Listener,
) -> Iterator[tuple[int, tuple[Verdict, float]]]:
    """Yield the places of claims with their verdicts and the seconds that they took.

    The circuits with the best figures come first. Once one is proven exactly, `choose` takes none
    that comes after it, so these are not asked.

    Args:
        claims: what is to be proven.
        figures: of the circuit of each.
        objective: what is minimised.
        each: makes the calls.
        listener: hears of each.
    """
    order = ranked(enumerate(figures), objective)
    begin, proofs = 0, list[str]()
    while begin < len(order) and PROOFS[0] not in proofs:
        # Most often the first is proven; where none can be, many are asked side by side.
        places = order[begin : max(1, 2 * begin)]
        begin += len(places)
        for number, (verdict, seconds) in each(prove_claim, [claims[place] for place in places]):
            listener.proven(places[number], verdict, seconds)
            yield places[number], (verdict, seconds)
            proofs.append(verdict.verified)


C = TypeVar("C")


def choose(
    candidates: Sequence[tuple[C, Verdict | None, Figures | None]], objective: str
) -> C | None:
    """Return the best candidate of those that are proven best, None if none survived."""
    for proof in PROOFS:
        survivors = [
            (one, figures)
            for one, verdict, figures in candidates
            if verdict is not None and verdict.verified == proof and figures is not None
        ]
        if survivors:
            return best(survivors, objective)
    return None


def failure(name: str, made: Sequence[tuple[str, Verdict | None]]) -> Exception:
    """Return what is wrong where nothing could be chosen.

    Args:
        name: of the program.
        made: of every attempt, why it failed or `""`, and its verdict if there is one.
    """
    refuted = [verdict.detail for _, verdict in made if verdict is not None]
    if refuted:
        return VerificationError(f"every candidate is proven wrong; the first: {refuted[0]}")
    reasons = "; ".join(dict.fromkeys(reason for reason, _ in made))
    return LoweringError(f"no pipeline could lower {name}: {reasons}")
