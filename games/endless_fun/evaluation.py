"""The command `endless`: what comes of the cards of a round."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from games.commands import Answer, Asked
from games.endless_fun.game import EndlessRound
from games.endless_fun.panels import STATE_COLUMNS, state_rows, wins_words
from games.endless_fun.picture import circuit_panel, round_picture
from games.endless_fun.rules.round import Round
from games.endless_fun.rules.state import Values
from games.endless_fun.rules.winning import (
    MEASUREMENTS,
    MOST_MEASUREMENTS,
    measured_states,
    winner,
)
from games.endless_fun.words import ket, state_text
from games.playing.panels import Cell, Grid, Lines, Panel

MOST_SHOWN = 27
"""States that are listed for people, the most probable winners."""
MOST_SEED = 2**31 - 1


def evaluate(
    *,
    start: Annotated[str, Asked("A digit for each qudit, from the left.", "0210")],
    gates: Annotated[
        str,
        Asked(
            "Names row by row, each row from the left; I where no card lies. A name that ends in "
            "l or r points there.",
            '"SWAPr X1 I H3 …"',
        ),
    ] = "",
    dimension: Annotated[int, Asked("Levels of a qudit: 2 or 3.", least=2, most=3)] = 3,
    pauli: Annotated[bool, Asked("Let Y of 2D be Pauli's matrix, not the printed one.")] = False,
    measurements: Annotated[
        int, Asked("How often the end state is measured.", least=1, most=MOST_MEASUREMENTS)
    ] = MEASUREMENTS,
    seed: Annotated[int, Asked("Of these measurements.", least=0, most=MOST_SEED)] = 0,
) -> Answer:
    """Work out a round: exact end state, who wins with what probability, and a seeded draw.

    The winning state is, among the measured states that contain the highest value seen, the most
    frequent one; of equal ones the first in lexical order. Its probabilities are exact.

    Example: `stichwerk endless evaluate --start 0210 --gates "SWAPr X1 I H3 Z2 I I CNOTl I I I Y1"`
    """
    played = Round.parsed(start, gates, dimension, pauli)
    game = EndlessRound("endless-fun", played, measurements)
    seen = measured_states(game.state(), measurements, seed)
    return Answer(_panels(game, seen, seed), _document(game, seen, seed), round_picture(played))


def _document(game: EndlessRound, seen: Mapping[Values, int], seed: int) -> dict[str, Any]:
    played, state, winning = game.round, game.state(), game.winning()
    chances = winning.chances()
    return {
        "dimension": played.dimension,
        "start": state_text(played.start),
        "rows": [list(row) for row in played.rows],
        "pauli": played.pauli,
        "states": [
            {
                "state": state_text(values),
                "amplitude": str(amplitude),
                "real": complex(amplitude).real,
                "imaginary": complex(amplitude).imag,
                "probability": str(amplitude.weight),
                "wins": str(chances[values]),
                "wins_decimal": float(chances[values]),
            }
            for values, amplitude in state.amplitudes().items()
        ],
        "measurements": game.measurements,
        "expected_points": [float(points) for points in winning.expected_points()],
        "favourite": state_text(winning.favourite()),
        "seed": seed,
        "measured": {state_text(values): count for values, count in seen.items()},
        "winning_state": state_text(winner(seen)),
    }


def _asked(game: EndlessRound) -> Lines:
    """Return what was evaluated; without gates there is nothing else to see it by."""
    nothing = "No card lies, so that it ends as it starts; --gates names the cards."
    told = [f"{game.title}, from {ket(game.round.start)}", *[nothing] * (not game.round.rows)]
    return Lines("What was evaluated", told)


def _panels(game: EndlessRound, seen: Mapping[Values, int], seed: int) -> Sequence[Panel]:
    won = winner(seen)
    known, left = state_rows(game, MOST_SHOWN)
    rows = [
        [
            *cells,
            Cell(str(seen.get(values, 0))),
            Cell("winning state" if values == won else "", "good"),
        ]
        for values, cells in known.items()
    ]
    more = [Lines("Not shown", [f"{left} further states; --json has all"])] if left else []
    points = [
        [
            Cell(f"qudit {place}"),
            Cell(str(value)),
            Cell(str(won[place - 1])),
            Cell(f"{float(expected):.6f}"),
        ]
        for place, (value, expected) in enumerate(
            zip(game.round.start, game.winning().expected_points(), strict=True), start=1
        )
    ]
    return [
        _asked(game),
        *[circuit_panel(game.round)] * bool(game.round.rows),
        Grid(
            f"End state, exact; {wins_words(game)}; seen: in these, seed {seed}",
            (*STATE_COLUMNS, "seen", ""),
            rows,
        ),
        *more,
        Lines(
            f"Winning state: {ket(won)}",
            ["the most frequent of the measured states with the highest value seen"],
        ),
        Grid("Points", ("", "start", "this draw", "on average"), points),
    ]
