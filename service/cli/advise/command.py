"""The command `advise`."""

from functools import partial

from games.trick_taking.advice.adviser import advise
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.panels import panels, recommendation
from games.trick_taking.advice.picture import picture
from games.trick_taking.advice.source import Announced, position_of
from service.cli.advise.options import (
    Game,
    Measurement,
    RecordGame,
    RecordMove,
    announced_options,
    effort_options,
    measurement_options,
)
from service.cli.options import Json
from service.cli.output.panels import write_result
from service.cli.output.plots import Plot
from service.cli.output.printing import progress
from service.cli.output.progress import say_if_first
from service.cli.program_argument import read_source
from service.results.games.advice import CardsAdvice


@effort_options
@announced_options
@measurement_options
def advise_command(
    *,
    source: Game,
    game: RecordGame = 1,
    move: RecordMove = 0,
    effort: Effort,
    announced: Announced,
    measurement: Measurement,
    plot: Plot = None,
    as_json: Json = False,
) -> int:
    """Advise which card to play: superposed, measured, and with open cards.

    Superposed: every player plays all legal cards in superposition, as in the circuits. Measured:
    the same on a backend. With open cards: all players see all cards and play perfectly; in Skat
    with the expected game value. With --estimator the exit code is 1 if an interval stays wider
    than requested.

    Examples:
    - `stichwerk advise skat-9`

    - `stichwerk advise examples/advice-ten-cards.toml --contract "S hand" --plot advice.png`

    - `stichwerk advise skat-9 --backend sparse --shots 2000`

    - `stichwerk advise examples/two-cards.toml --backend sparse --estimator bayesian --error 0.02`

    - `stichwerk advise games.sgf --game 3 --move 10`
    """
    text = read_source(source)
    measurement.check()
    position, stakes, recorded = position_of(text, game, move, announced)
    measure = None
    if measurement.backend:
        # Most advice needs no backend, and no records.
        from service.cli.advise.measuring import measuring

        measure = measuring(position, measurement, effort.seed)
    say_if_first("games")
    advice = advise(position, effort, progress, stakes)
    estimates = None if measure is None else measure(advice)
    write_result(
        panels(advice, estimates, recorded),
        CardsAdvice.of(advice, effort.seed, recommendation(advice), estimates, recorded),
        plot,
        partial(picture, advice, estimates),
        as_json=as_json,
    )
    return 0 if estimates is None or estimates.reached else 1
