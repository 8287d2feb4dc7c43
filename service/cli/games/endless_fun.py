"""The commands `endless` and `qudits`: rounds of Endless Fun, evaluated and on qudit machines."""

from collections.abc import Sequence
from itertools import groupby
from typing import Annotated

import typer
from attrs import asdict

from compiler.errors import InputError
from games.endless_fun.encodings.fused import fused
from games.endless_fun.game import EndlessRound
from games.endless_fun.named import round_named
from games.endless_fun.native.gates import ditqasm
from games.endless_fun.native.machines import Noise, Played, played_on_machines
from games.endless_fun.rules.round import Round
from games.endless_fun.rules.winning import (
    MAX_MEASUREMENTS,
    MEASUREMENTS,
    measured_states,
    winner,
)
from games.panels import Cell, Grid, Lines
from play.endless_fun.panels import evaluation_panels, round_picture
from service.cli.options import Json, RandomSeed
from service.cli.output.panels import write_result
from service.cli.output.plots import Plot
from service.results.games.endless_fun import ExportedRound, MachineComparison, RoundEvaluation

ROUNDS = "endless-fun:paper endless-fun:three endless-fun-random:players=4,rows=6,seed=6"


def evaluate_command(
    *,
    start: Annotated[
        str,
        typer.Option(metavar="0210", help="Start state: a digit for each qudit, from the left."),
    ],
    gates: Annotated[
        str,
        typer.Option(
            metavar='"SWAPr X1 I H3 …"',
            help="Names row by row, each row from the left; I where no card lies. A name that ends "
            "in l or r points there.",
        ),
    ] = "",
    dimension: Annotated[int, typer.Option(min=2, max=3, help="Levels of a qudit: 2 or 3.")] = 3,
    pauli: Annotated[
        bool,
        typer.Option(
            "--pauli", help="Use Pauli's matrix for Y of dimension 2, not the printed one."
        ),
    ] = False,
    measurements: Annotated[
        int, typer.Option(min=1, max=MAX_MEASUREMENTS, help="Measurements of the end state.")
    ] = MEASUREMENTS,
    seed: RandomSeed = 0,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """Compute a round exactly: end state, winning probabilities, a seeded draw.

    The winning state is, among the measured states that contain the highest value seen, the most
    frequent one; of equal ones the first in lexical order. Its probabilities are exact.

    Example: `stichwerk endless evaluate --start 0210 --gates "SWAPr X1 I H3 Z2 I I CNOTl I I I Y1"`
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


def compare_command(
    *,
    games: Annotated[
        str, typer.Option(help="Rounds of Endless Fun, separated by blanks.")
    ] = ROUNDS,
    error: Annotated[
        float,
        typer.Option(
            min=0, max=1,
            help="Probability that a gate on two lanes fails, the same on all machines.",
        ),
    ] = 0.01,
    trajectories: Annotated[
        int, typer.Option(min=1, max=100_000, help="Random runs with errors, on each machine.")
    ] = 500,
    seed: RandomSeed = 0,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Compare rounds on qubits and qutrits: gates and fidelity at the same error.

    All lanes are coupled. `relabelled` renames lanes and levels for swaps and moved levels, and
    uses the known states of the qudits; `cards` is card by card, with three gates for a swap of
    qutrits. A gate on two lanes that fails is followed by a random product of X and Z other
    than 1. P(winning state) is the probability that one measurement gives the favourite, the
    state that most probably wins the round.

    Example: `stichwerk qudits compare --games "endless-fun:three" --error 0.005`
    """
    rounds = [round_named(name) for name in games.split()]
    if not rounds:
        raise InputError("--games: no round. Give one at least, such as endless-fun:three")
    noise = Noise(error, trajectories, seed)
    played = [row for game in rounds for row in played_on_machines(game, noise)]
    result = MachineComparison.model_validate({**asdict(noise), "played": played})
    write_result(_comparison_panels(played, noise), result, as_json=as_json)


def export_command(
    *,
    game: Annotated[
        str, typer.Option(metavar="NAME", help="A round of Endless Fun.")
    ] = "endless-fun:paper",
    as_json: Json = False,
) -> None:
    """Export a round as DITQASM 2.0 for MQT Qudits.

    Example: `stichwerk qudits export --game endless-fun:three`
    """
    text = ditqasm(fused(round_named(game).round))
    result = ExportedRound(game=game, ditqasm=text)
    write_result([Lines("DITQASM", text.splitlines())], result, as_json=as_json)


def _comparison_panels(played: Sequence[Played], noise: Noise) -> list[Grid]:
    """Return a table for each round."""
    return [_grid(list(rows), noise.error) for _, rows in groupby(played, lambda row: row.game)]


def _grid(played: Sequence[Played], error: float) -> Grid:
    first, columns = played[0], (
        "machine", "form", "lanes", "gates on two", "depth", "fidelity", "P(winning state)",
        "legal",
    )  # fmt: skip
    title = (
        f"{first.game}: P(winning state) {first.exact_winning_state:.4f}; {error:g} of the gates "
        "on two fail"
    )
    return Grid(title, columns, [_row(row) for row in played])


def _row(row: Played) -> list[Cell]:
    numbers = (row.lanes, row.two_body_gates, row.two_body_depth)
    shares = (row.fidelity, row.winning_state, row.legal)
    texts = [row.machine, row.form, *map(str, numbers), *(f"{share:.4f}" for share in shares)]
    return [Cell(text) for text in texts]
