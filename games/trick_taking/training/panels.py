"""Tables of a training: P(win), gains, and the weights of a seat."""

from collections.abc import Sequence
from fractions import Fraction

from games.panels import Cell, Grid, Lines, Panel
from games.trick_taking.rules.setup import seat_name
from games.trick_taking.training.document import BackendResult, InformationSet, TrainingDocument
from games.trick_taking.training.learning import BEST_RESPONSE

MAX_SHOWN = 10
"""Maximum number of listed information sets."""


def panels(result: TrainingDocument) -> Sequence[Panel]:
    """Return the tables of a training."""
    seat, party = seat_name(result.seat), " ".join(map(seat_name, result.party))
    gains = ", ".join(f"{seat_name(s)} {max(gain, 0):.1e}" for s, gain in enumerate(result.gains))
    goes_on = result.p_win_start is not None
    others = "the others' weights of the file" if goes_on else "equal weights"
    begun = [f"it goes on from weights with P(win) {result.p_win_start:.6f}"] if goes_on else []
    facts = [
        f"{result.deals:,} deals, {result.information_sets:,} information sets, "
        f"{result.weights_trained:,} weights; P(win) is that of the party, {party}",
        f"all weights equal: P(win) {_number(result.p_win_equal_weights)}",
        *begun,
        f"best response of {seat} to {others}: {_number(result.p_win_best_response)}",
        f"after {result.steps:,} steps: P(win) {result.p_win:.6f}",
        f"possible gain of each seat alone: {gains}",
    ]
    title = (
        f"Best response of {seat} to {others}"
        if result.objective == BEST_RESPONSE
        else "Equilibrium by alternating training"
    )
    rows = [row for weights in result.weights[:MAX_SHOWN] for row in _rows(weights)]
    left = len(result.weights) - MAX_SHOWN
    on_backends = [_on_backends(result)] if result.backends else []
    more = [Lines("Not shown", [f"{left:,} further information sets; --json has all"])]
    return [
        Lines(f"{result.game}: {title}", facts),
        *on_backends,
        Grid(f"Weights of {seat}", ("holds", "has seen", "plays", "weight", "P(win)"), rows),
        *more * (left > 0),
    ]


def _on_backends(result: TrainingDocument) -> Grid:
    columns = (
        "gradients from", "circuits", "jobs", "CZ", "legal", "P(win), exact", "measured, 95 %"
    )  # fmt: skip
    rows = [[Cell(text) for text in _backend_row(backend)] for backend in result.backends]
    return Grid(f"After {result.steps} steps", columns, rows)


def _backend_row(result: BackendResult) -> list[str]:
    if result.jobs is None:
        return ["the tree", "", "", "", "", f"{result.p_win:.6f}", ""]
    last = result.training[-1]
    return [
        result.backend,
        f"{result.circuits}",
        f"{result.jobs[0]} to {result.jobs[1]}",
        f"{result.two_qubit_gates}",
        f"{result.legal_fraction:.3f}",
        f"{result.p_win:.6f}",
        f"{last.measured:.3f} ({last.low:.3f} to {last.high:.3f})",
    ]


def _number(chance: str) -> str:
    """Return a chance as a decimal, after the fraction if it is one."""
    decimal = f"{float(Fraction(chance)):.6f}"
    return decimal if "." in chance else f"{chance} = {decimal}"


def _rows(weights: InformationSet) -> list[list[Cell]]:
    best = max(weights.cards.values())
    heads = [" ".join(weights.hand), " ".join(weights.seen) or "nothing"]
    return [
        [
            *(Cell(head if place == 0 else "") for head in heads),
            Cell(card, "good" if weight == best else "plain"),
            Cell(f"{weight:.6f}"),
            Cell("" if (won := weights.p_win[card]) is None else f"{won:.6f}"),
        ]
        for place, (card, weight) in enumerate(weights.cards.items())
    ]
