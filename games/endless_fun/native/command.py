"""The command `qudits`: rounds on machines of two and of three levels."""

from collections.abc import Sequence
from typing import Annotated

from attrs import asdict

from compiler.errors import GameError, InputError
from games.commands import Answer, Asked
from games.endless_fun.encodings.fused import fused
from games.endless_fun.game import EndlessRound
from games.endless_fun.native.ditqasm import ditqasm
from games.endless_fun.native.machines import Noise, Played, played_on_machines
from games.game import named_game
from games.playing.panels import Cell, Grid, Lines

GAMES = "endless-fun:paper endless-fun:three endless-fun-random:players=4,rows=6,seed=6"
ERROR = "0.01"
TRAJECTORIES = 500
MOST_TRAJECTORIES = 100_000
MOST_SEED = 2**31 - 1


def compare(
    *,
    games: Annotated[str, Asked("Rounds of Endless Fun, separated by blanks.")] = GAMES,
    error: Annotated[
        str, Asked("Probability that a gate on two lanes fails, the same on all machines.")
    ] = ERROR,
    trajectories: Annotated[
        int, Asked("Random runs with errors, on each machine.", least=1, most=MOST_TRAJECTORIES)
    ] = TRAJECTORIES,
    seed: Annotated[int, Asked("Of these runs.", least=0, most=MOST_SEED)] = 0,
) -> Answer:
    """Play rounds on qubits and on qutrits: gates between two, and fidelity at the same error.

    All lanes are coupled. `relabelled` renames lanes and levels for swaps and moved levels, and
    uses what is known of the qudits; `cards` is card by card, with three gates for a swap of
    qutrits. A gate on two lanes that fails is followed by a random product of X and Z other
    than 1. P(winning state) is the probability that one measurement gives the favourite, the
    state that most probably wins the round.

    Example: `stichwerk qudits compare --games "endless-fun:three" --error 0.005`
    """
    rounds = [_round(name) for name in games.split()]
    if not rounds:
        raise InputError("--games: name a round at least")
    noise = Noise(_probability(error), trajectories, seed)
    found = {game.name: list(played_on_machines(game, noise)) for game in rounds}
    return Answer(
        [_grid(played, noise.error) for played in found.values()],
        {
            **asdict(noise),
            "played": [asdict(one) for played in found.values() for one in played],
        },
    )


def export(
    *, game: Annotated[str, Asked("A round of Endless Fun.", "NAME")] = "endless-fun:paper"
) -> Answer:
    """Print a round in DITQASM 2.0, which MQT Qudits reads: qudits of the game's own levels.

    Example: `stichwerk qudits export --game endless-fun:three`
    """
    text = ditqasm(fused(_round(game).round))
    return Answer([Lines("DITQASM", text.splitlines())], {"game": game, "ditqasm": text})


def _round(name: str) -> EndlessRound:
    game = named_game(name)
    if not isinstance(game, EndlessRound):
        raise GameError(f"{name} is no round of Endless Fun; see stichwerk games")
    return game


def _probability(error: str) -> float:
    try:
        probability = float(error)
    except ValueError:
        probability = -1.0
    if not 0 <= probability <= 1:
        raise InputError(f"--error {error[:20]!r}: must be a number from 0 to 1")
    return probability


def _grid(played: Sequence[Played], error: float) -> Grid:
    exact = played[0].exact_winning_state
    return Grid(
        f"{played[0].game}: P(winning state) {exact:.4f}; {error:g} of the gates on two fail",
        (
            "machine",
            "form",
            "lanes",
            "gates on two",
            "depth",
            "fidelity",
            "P(winning state)",
            "legal",
        ),
        [_row(one) for one in played],
    )


def _row(played: Played) -> list[Cell]:
    return [
        Cell(played.machine),
        Cell(played.form),
        Cell(str(played.lanes)),
        Cell(str(played.two_body_gates)),
        Cell(str(played.two_body_depth)),
        Cell(f"{played.fidelity:.4f}"),
        Cell(f"{played.winning_state:.4f}"),
        Cell(f"{played.legal:.4f}"),
    ]
