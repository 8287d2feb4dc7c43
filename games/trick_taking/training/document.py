"""What a training has come to, for programs and for people."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from games.playing.panels import Cell, Grid, Lines, Panel
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.steps import seat_name
from games.trick_taking.training.result import BEST_RESPONSE, Training, Weighted
from games.trick_taking.training.value import value

MOST_SHOWN = 10
"""Information sets that are listed for people."""


def document(training: Training) -> dict[str, Any]:
    """Return the result as JSON has it; probabilities are the party's."""
    tree, last = training.tree, training.last
    game = tree.game
    return {
        "game": game.name,
        "objective": training.objective,
        "seat": training.seat,
        "party": list(game.party),
        "steps": training.steps,
        "seed": training.seed,
        "deals": tree.deals,
        "information_sets": len(tree.information),
        "weights_trained": tree.choices,
        "p_win": last.won,
        "p_win_equal_weights": str(training.equal),
        "p_win_start": None if training.start is None else value(tree, training.start),
        "p_win_best_response": str(training.best),
        "gains": list(last.gains),
        "weights": [_entry(game, one) for one in training.weighted],
        "training": [
            {"step": look.step, "p_win": look.won, "gains": list(look.gains)}
            for look in training.looks
        ],
    }


def _entry(game: TrickTakingGame, one: Weighted) -> dict[str, Any]:
    names = [str(game.deck[card]) for card in one.information.cards]
    return {
        "hand": _names(game, one.information.hand).split(),
        "seen": _names(game, one.information.seen).split(),
        "probability": one.reach,
        "cards": dict(zip(names, one.weights, strict=True)),
        "p_win": dict(zip(names, one.won, strict=True)),
    }


def panels(training: Training) -> Sequence[Panel]:
    """Return the result for people."""
    game, last = training.tree.game, training.last
    seat, party = seat_name(training.seat), " ".join(map(seat_name, game.party))
    gains = ", ".join(f"{seat_name(s)} {max(gain, 0):.1e}" for s, gain in enumerate(last.gains))
    told = [
        f"{training.tree.deals:,} deals, {len(training.tree.information):,} information sets, "
        f"{training.tree.choices:,} weights; P(win) is that of the party, {party}",
        f"all weights equal: P(win) {training.equal} = {float(training.equal):.6f}",
        *_begun(training),
        f"{seat} at its best against {_others(training)}: {_number(training.best)}",
        f"after {training.steps:,} steps: P(win) {last.won:.6f}",
        f"what each seat alone could still gain: {gains}",
    ]
    title = (
        f"Best response of {seat} to {_others(training)}"
        if training.objective == BEST_RESPONSE
        else "Equilibrium by alternating training"
    )
    shown = training.weighted[:MOST_SHOWN]
    rows = [row for one in shown for row in _rows(game, one)]
    left = len(training.weighted) - len(shown)
    more = [Lines("Not shown", [f"{left:,} further information sets; --json has all"])]
    return [
        Lines(f"{game.name}: {title}", told),
        Grid(f"Weights of {seat}", ("holds", "has seen", "plays", "weight", "P(win)"), rows),
        *more * bool(left),
    ]


def _begun(training: Training) -> list[str]:
    if training.start is None:
        return []
    return [f"it goes on from weights with P(win) {value(training.tree, training.start):.6f}"]


def _others(training: Training) -> str:
    return "equal weights" if training.start is None else "the others' weights of the file"


def _number(chance: Fraction | float) -> str:
    told = f"{float(chance):.6f}"
    return f"{chance} = {told}" if isinstance(chance, Fraction) else told


def _rows(game: TrickTakingGame, one: Weighted) -> list[list[Cell]]:
    best = max(one.weights)
    heads = [_names(game, one.information.hand), _names(game, one.information.seen) or "nothing"]
    return [
        [
            *(Cell(head if place == 0 else "") for head in heads),
            Cell(str(game.deck[card]), "good" if weight == best else "plain"),
            Cell(f"{weight:.6f}"),
            Cell("" if won is None else f"{won:.6f}"),
        ]
        for place, (card, weight, won) in enumerate(
            zip(one.information.cards, one.weights, one.won, strict=True)
        )
    ]


def _names(game: TrickTakingGame, cards: Sequence[int]) -> str:
    return " ".join(str(game.deck[card]) for card in cards)
