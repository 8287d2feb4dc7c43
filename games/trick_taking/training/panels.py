"""Tables of a training: P(win), gains, and the weights of a seat."""

from collections.abc import Sequence
from fractions import Fraction

from games.playing.panels import Cell, Grid, Lines, Panel
from games.trick_taking.rules.setup import seat_name
from games.trick_taking.training.document import BackendResult, InformationSet
from games.trick_taking.training.learning import BEST_RESPONSE
from games.trick_taking.training.result import Training
from games.trick_taking.training.tree import value

MAX_SHOWN = 10
"""Information sets that are listed for people."""


def panels(training: Training) -> Sequence[Panel]:
    """Return the tables of a training."""
    game, last = training.tree.game, training.last
    seat, party = seat_name(training.task.seat), " ".join(map(seat_name, game.party))
    gains = ", ".join(f"{seat_name(s)} {max(gain, 0):.1e}" for s, gain in enumerate(last.gains))
    told = [
        f"{training.tree.deals:,} deals, {len(training.tree.information):,} information sets, "
        f"{training.tree.choices:,} weights; P(win) is that of the party, {party}",
        f"all weights equal: P(win) {training.equal} = {float(training.equal):.6f}",
        *_begun(training),
        f"{seat} at its best against {_others(training)}: {_number(training.best)}",
        f"after {training.task.steps:,} steps: P(win) {last.won:.6f}",
        f"what each seat alone could still gain: {gains}",
    ]
    title = (
        f"Best response of {seat} to {_others(training)}"
        if training.task.objective == BEST_RESPONSE
        else "Equilibrium by alternating training"
    )
    shown = training.weighted[:MAX_SHOWN]
    rows = [row for one in shown for row in _rows(one)]
    left = len(training.weighted) - len(shown)
    on_backends = [_on_backends(training)] if training.backends else []
    more = [Lines("Not shown", [f"{left:,} further information sets; --json has all"])]
    return [
        Lines(f"{game.name}: {title}", told),
        *on_backends,
        Grid(f"Weights of {seat}", ("holds", "has seen", "plays", "weight", "P(win)"), rows),
        *more * bool(left),
    ]


def _on_backends(training: Training) -> Grid:
    columns = (
        "gradients from", "circuits", "jobs", "CZ", "legal", "P(win), exact", "measured, 95 %"
    )  # fmt: skip
    rows = [[Cell(text) for text in _backend_row(one)] for one in training.backends]
    return Grid(f"After {training.task.steps} steps", columns, rows)


def _backend_row(one: BackendResult) -> list[str]:
    if one.jobs is None:
        return ["the tree", "", "", "", "", f"{one.p_win:.6f}", ""]
    last = one.training[-1]
    return [
        one.backend,
        f"{one.circuits}",
        f"{one.jobs[0]} to {one.jobs[1]}",
        f"{one.two_qubit_gates}",
        f"{one.legal_fraction:.3f}",
        f"{one.p_win:.6f}",
        f"{last.measured:.3f} ({last.low:.3f} to {last.high:.3f})",
    ]


def _begun(training: Training) -> list[str]:
    if training.task.start is None:
        return []
    return [f"it goes on from weights with P(win) {value(training.tree, training.task.start):.6f}"]


def _others(training: Training) -> str:
    return "equal weights" if training.task.start is None else "the others' weights of the file"


def _number(chance: Fraction | float) -> str:
    told = f"{float(chance):.6f}"
    return f"{chance} = {told}" if isinstance(chance, Fraction) else told


def _rows(one: InformationSet) -> list[list[Cell]]:
    best = max(one.cards.values())
    heads = [" ".join(one.hand), " ".join(one.seen) or "nothing"]
    return [
        [
            *(Cell(head if place == 0 else "") for head in heads),
            Cell(card, "good" if weight == best else "plain"),
            Cell(f"{weight:.6f}"),
            Cell("" if (won := one.p_win[card]) is None else f"{won:.6f}"),
        ]
        for place, (card, weight) in enumerate(one.cards.items())
    ]
