"""The command `advise`."""

from typing import Annotated

from compiler.words.estimator_names import (
    ERROR,
    ESTIMATORS,
    MOST_ITERATES,
    ROUND_SHOTS,
    EstimatorName,
)
from games.commands import Answer, Asked, Means
from games.sources import Source
from games.trick_taking.advice.adviser import advise
from games.trick_taking.advice.document import document
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.on_backends.estimating import estimated, handed_over, ready, wish
from games.trick_taking.advice.on_backends.measuring import measured
from games.trick_taking.advice.panels import panels
from games.trick_taking.advice.picture import picture
from games.trick_taking.advice.review.document import review_document
from games.trick_taking.advice.review.panels import review_panels
from games.trick_taking.advice.review.picture import review_picture
from games.trick_taking.advice.review.reviewing import reviewed
from games.trick_taking.advice.source import (
    Announced,
    playable_game,
    recorded_at,
    stakes_of_record,
    whole_record,
)
from games.trick_taking.skat.records.record import Record

MOST_PLAYOUTS = 100_000_000
MOST_DEALS = 5_000
MOST_SECONDS = 3_600
MOST_SEED = 2**31 - 1
SHOTS, MOST_SHOTS = 1000, 1_000_000
MOST_GAMES = 1_000_000


def advise_command(
    *,
    source: Annotated[
        Source,
        Asked(
            "The file of a trick-taking game, or a name such as skat-9: your hand under [known], "
            "what lies on the table and what was taken; or a record of real games (.sgf).",
            "GAME",
        ),
    ],
    game: Annotated[
        int, Asked("Of a record: the game in it, 1 the first.", least=1, most=MOST_GAMES)
    ] = 1,
    move: Annotated[
        int,
        Asked("Of a record: the card before which to advise, 1 the first.", least=0, most=30),
    ] = 0,
    every_move: Annotated[
        bool,
        Asked("Of a record: look at each card of the game, and tell what each choice cost."),
    ] = False,
    playouts: Annotated[
        int,
        Asked(
            "Games played at random where not all can be enumerated.", least=1, most=MOST_PLAYOUTS
        ),
    ] = 1_000_000,
    deals: Annotated[
        int,
        Asked("Deals solved with open cards; all, if there are no more.", least=1, most=MOST_DEALS),
    ] = 500,
    seconds: Annotated[
        int,
        Asked(
            "Of processor time, of each processor, after which no deal is begun, and after a "
            "quarter of them no random games; with --every-move for each card anew.",
            least=1,
            most=MOST_SECONDS,
        ),
    ] = 5,
    contract: Annotated[
        str,
        Asked(
            "Of a game file: what was announced, such as 'S hand', for the game's value; by "
            "default nothing was.",
            "CONTRACT",
        ),
    ] = "",
    matadors: Annotated[
        int,
        Asked(
            "Of a game file: with how many, below zero without how many; 0 to count them in each "
            "deal.",
            least=-11,
            most=11,
        ),
    ] = 0,
    bid: Annotated[
        int, Asked("Of a game file: up to which the declarer went.", least=0, most=264)
    ] = 0,
    backend: Annotated[
        str,
        Asked("Also compile a circuit for each card and run it here; see 'stichwerk backends'."),
    ] = "",
    shots: Annotated[
        int | None,
        Asked(
            f"Of each of these circuits, by default {SHOTS}; with --estimator of each round, by "
            f"default {ROUND_SHOTS}.",
            least=1,
            most=MOST_SHOTS,
        ),
    ] = None,
    estimator: Annotated[
        EstimatorName | None,
        Asked(
            f"Instead of counting shots, estimate each card's P(win) as 'stichwerk estimate' does: "
            f"{ESTIMATORS}."
        ),
    ] = None,
    error: Annotated[
        float | None,
        Asked(
            "With --estimator, half the width of the interval that is wanted, by default "
            f"{ERROR:g}."
        ),
    ] = None,
    most_iterates: Annotated[
        int | None,
        Asked(f"With --estimator, of a circuit, by default {MOST_ITERATES}."),
    ] = None,
    queue: Annotated[
        bool,
        Asked("Hand these estimates to the workers, for any backend: a job for each card."),
    ] = False,
    tag: Annotated[str, Asked("With --queue, of all their jobs.")] = "",
    max_cost: Annotated[
        str, Asked("With --queue, what each card's estimate may cost.", "AMOUNT")
    ] = "",
    seed: Annotated[int, Asked("Of all that is random.", least=0, most=MOST_SEED)] = 0,
    means: Means,
) -> Answer:
    """Advise which card to play in a game of tricks: superposed, measured, and with open cards.

    Superposed: everybody plays any legal card, which is what the circuits do. With open cards:
    all see all cards and play at their best; in a game of Skat also what it is expected to count.
    With an estimator the exit code is 1 if an interval stays wider than was asked for.

    Examples:
    - `stichwerk advise skat-9`

    - `stichwerk advise examples/advice-ten-cards.toml --contract "S hand" --plot advice.png`

    - `stichwerk advise skat-9 --backend sparse --shots 2000`

    - `stichwerk advise examples/two-cards.toml --backend sparse --estimator bayesian --error 0.02`

    - `stichwerk advise games.sgf --game 3 --move 10`

    - `stichwerk advise games.sgf --game 3 --every-move --seconds 2 --plot game.png`
    """
    announced = Announced(contract, matadors, bid)
    wanted = wish(
        backend=backend,
        shots=shots,
        seed=seed,
        estimator=estimator,
        error=error,
        most_iterates=most_iterates,
        queue=queue,
        tag=tag,
        max_cost=max_cost,
    )
    if backend:
        # An estimate asks nobody else's machine by itself.
        means.check(backend, wanted is not None)
    effort = Effort(playouts, deals, float(seconds), seed, means.processors, means.clock)
    if every_move:
        announced.refuse(source)
        return _reviewed(whole_record(source, game, move, backend), effort, means)
    recorded = recorded_at(source, game, move)
    if recorded is None:
        position = playable_game(source)
        stakes = announced.stakes(position)
    else:
        announced.refuse(source)
        position, stakes = recorded.game, stakes_of_record(recorded)
    estimates = ready(position, wanted, means) if wanted else {}
    advice = advise(position, effort, means.say, stakes)
    found, handed = None, None
    if wanted and wanted.queue:
        handed = handed_over(advice, wanted, estimates, means)
    elif wanted:
        found = estimated(advice, wanted, estimates, means)
    elif backend:
        found = measured(advice, backend, shots or SHOTS, seed, means)
    return Answer(
        panels(advice, found, recorded, handed),
        document(advice, found, seed, recorded, handed),
        lambda figure: picture(advice, found, figure),
        found is None or found.reached,
    )


def _reviewed(record: Record, effort: Effort, means: Means) -> Answer:
    moves = reviewed(record, effort, means.say)
    return Answer(
        review_panels(record, moves, effort.seconds),
        review_document(record, moves, effort.seconds, effort.seed),
        lambda figure: review_picture(record, moves, figure),
    )
