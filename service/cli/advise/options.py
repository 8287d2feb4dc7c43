"""Options of the command `advise`, in groups."""

from time import thread_time
from typing import Annotated

import typer
from attrs import frozen

from backends.devices.reading import backend_named
from compiler.errors import InputError
from compiler.words import estimator_names
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.source import Announced
from service.cli.compile_options import MaxCost
from service.cli.front.parameters import shared_options
from service.cli.options import PROCESSES, HandOver, QueueTag, RandomSeed

SHOTS = 1000

Game = Annotated[str, typer.Argument(metavar="GAME")]
"""The name of a trick-taking game, such as skat-9; its file, with your hand under [known], the
cards on the table and taken tricks; or a file of recorded games (.sgf)."""
RecordGame = Annotated[int, typer.Option("--game", min=1, max=1_000_000)]
"""Records: number of the game, from 1."""
RecordMove = Annotated[int, typer.Option(min=0, max=30)]
"""Records: number of the card before which to advise, from 1."""


def _effort(
    *,
    playouts: Annotated[int, typer.Option(min=1, max=100_000_000)] = 1_000_000,
    deals: Annotated[int, typer.Option(min=1, max=5000)] = 500,
    seconds: Annotated[int, typer.Option(min=1, max=3600)] = 5,
    seed: RandomSeed = 0,
) -> Effort:
    """Return the options of a command.

    Options:
        playouts: Number of random games if not all can be enumerated.
        deals: Maximum number of deals to solve with open cards.
        seconds: CPU seconds of each processor, a quarter of them for random games; afterwards no
            further deal starts.
    """
    return Effort(playouts, deals, float(seconds), seed, PROCESSES, thread_time)


def _announced(
    *,
    contract: Annotated[str, typer.Option(metavar="CONTRACT")] = "",
    matadors: Annotated[int, typer.Option(min=-11, max=11)] = 0,
    bid: Annotated[int, typer.Option(min=0, max=264)] = 0,
) -> Announced:
    """Return the options of a command.

    Options:
        contract: Game files: the contract, such as 'S hand', for the game value; by default no
            announcements.
        matadors: Game files: number of matadors, negative for 'without'; 0 to count them in each
            deal.
        bid: Game files: the declarer's highest bid.
    """
    return Announced(contract, matadors, bid)


@frozen(kw_only=True)
class Measurement:
    """Options of the measurement of each card's chance on a backend.

    Options:
        backend: Also run a circuit for each card on this backend; see 'stichwerk backends'.
        shots: Shots of each of these circuits, by default {SHOTS}; with --estimator shots of each
            round, by default {estimator_names.ROUND_SHOTS}.
        estimator: Instead of counting shots, estimate each card's P(win) as 'stichwerk estimate'
            does: {estimator_names.ESTIMATORS}.
        error: With --estimator: requested half width of the interval, by default
            {estimator_names.ERROR:g}.
        most_iterates: With --estimator: maximum Grover iterates in a circuit, by default
            {estimator_names.MAX_ITERATES}.
    """

    backend: Annotated[str, typer.Option("--backend", "-b", callback=backend_named)] = ""
    shots: Annotated[int | None, typer.Option(min=1, max=1_000_000)] = None
    estimator: estimator_names.EstimatorName | None = None
    error: float | None = None
    most_iterates: int | None = None
    queue: HandOver = False
    tag: QueueTag = ""
    max_cost: MaxCost = ""

    def check(self) -> None:
        """Check which options are given together.

        Raises:
            InputError: if an option lacks the one that it goes with.
        """
        if (self.tag or self.max_cost) and not self.queue:
            raise InputError("--tag and --max-cost are for --queue: say that, too")
        if self.estimator is None:
            options = {
                "error": self.error,
                "most-iterates": self.most_iterates,
                "queue": self.queue or None,
            }
            for name, value in options.items():
                if value is not None:
                    raise InputError(f"--{name} is for estimates: give an --estimator, too")
        elif not self.backend:
            raise InputError(f"--estimator {self.estimator}: no backend. Give one by --backend")


effort_options = shared_options("effort", _effort)
announced_options = shared_options("announced", _announced)
measurement_options = shared_options("measurement", Measurement)
