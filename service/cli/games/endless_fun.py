"""The commands `endless` and `qudits`: rounds of Endless Fun, evaluated and exported."""

from typing import Annotated

import typer

from games.endless_fun.ditqasm import ditqasm
from games.endless_fun.encodings.fused import fused
from games.endless_fun.game import EndlessRound
from games.endless_fun.named import round_named
from games.endless_fun.rules.round import Round
from games.endless_fun.rules.winning import MAX_MEASUREMENTS, MEASUREMENTS, measured_states, winner
from games.panels import Lines
from play.endless_fun.panels import evaluation_panels, round_picture
from service.cli.options import Json, RandomSeed
from service.cli.output.panels import write_result
from service.cli.output.plots import Plot
from service.results.games.endless_fun import ExportedRound, RoundEvaluation


def evaluate_command(
    *,
    start: Annotated[str, typer.Option(metavar="0210")],
    gates: Annotated[str, typer.Option(metavar='"SWAPr X1 I H3 …"')] = "",
    dimension: Annotated[int, typer.Option(min=2, max=3)] = 3,
    pauli: bool = False,
    measurements: Annotated[int, typer.Option(min=1, max=MAX_MEASUREMENTS)] = MEASUREMENTS,
    seed: RandomSeed = 0,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """Compute a round exactly: end state, winning probabilities, a seeded draw.

    The winning state is, among the measured states that contain the highest value seen, the most
    frequent one; of equal ones the first in lexical order. Its probabilities are exact.

    Example: `stichwerk endless evaluate --start 0210 --gates "SWAPr X1 I H3 Z2 I I CNOTl I I I Y1"`

    Options:
        start: Start state: a digit for each qudit, from the left.
        gates: Names row by row, each row from the left; I where no card lies. A name that ends in l
            or r points there.
        dimension: Levels of a qudit: 2 or 3.
        pauli: Use Pauli's matrix for Y of dimension 2, not the printed one.
        measurements: Measurements of the end state.
    """
    played = Round.parsed(start, gates, dimension, pauli)
    game = EndlessRound("endless-fun", played, measurements)
    measured = measured_states(game.state(), measurements, seed)
    picture = round_picture(played)
    write_result(
        evaluation_panels(game, measured, seed),
        RoundEvaluation.of(game, seed, measured, winner(measured)),
        plot,
        lambda _: picture.draw("mpl", initial_state=False),
        as_json=as_json,
    )


def export_command(
    *,
    game: Annotated[str, typer.Option(metavar="NAME")] = "endless-fun:paper",
    as_json: Json = False,
) -> None:
    """Export a round as DITQASM 2.0 for MQT Qudits.

    Example: `stichwerk qudits export --game endless-fun:three`

    Options:
        game: A round of Endless Fun.
    """
    text = ditqasm(fused(round_named(game).round))
    result = ExportedRound(game=game, ditqasm=text)
    write_result([Lines("DITQASM", text.splitlines())], result, as_json=as_json)
