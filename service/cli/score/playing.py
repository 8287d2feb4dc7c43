"""Scoring a machine in this process."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy.orm import Session

from compiler.words.plurals import how_many
from service.cli.output.backend_progress import backend_progress
from service.cli.output.first_time import say_if_first
from service.cli.output.printing import say
from workers.parallel import process_pool
from workers.records.database import open_database
from workers.score.document import score_document
from workers.score.here import ReadyPart, check_cost, make_ready, play
from workers.score.planning import ScoreRun, planned_part
from workers.settings import settings


def play_suite(
    run: ScoreRun, seed: int, limit: Decimal | None, database: str, processes: int
) -> dict[str, Any]:
    """Compile, tell what it costs, run and score all parts; return the score's document.

    Raises:
        BudgetError: if it would cost too much; nothing was submitted.
    """
    set_ = settings()
    say(f"run {run.run}: if it is interrupted, --run '{run.run}' goes on with it")
    planned = [planned_part(run, part, seed) for part in run.suite.parts]
    with Session(open_database(database or set_.database)) as session:
        say_if_first("compiler")
        with process_pool(processes) as pool:
            ready = make_ready(session, planned, pool, say, set_)
        cost = check_cost(session, set_, ready, limit)
        say(planned_line(run, ready, cost))
        with backend_progress():
            parts = [play(session, one, say) for one in ready]
        return score_document(session, run, parts)


def planned_line(run: ScoreRun, ready: Sequence[ReadyPart], cost: Decimal) -> str:
    """Return what is going to be run, and what that takes, in one line."""
    left = [one for one in ready if one.to_run]
    done = sum(one.job is not None and not one.to_run for one in ready)
    refused = sum(bool(one.refused) for one in ready)
    shots = sum(one.planned.part.shots for one in left)
    known = [one.seconds for one in left if one.seconds is not None]
    told = [
        f"planned: suite {run.suite.name} on {run.backend}: "
        f"{how_many(len(left), 'circuit')} to run, {how_many(shots, 'shot')}",
        f"{done} done already" if done else "",
        f"{refused} not supported" if refused else "",
        f"about {cost:.2f} USD" if cost else "no charge",
        f"about {sum(known):.0f} s of running" if known else "",
        f"{len(left) - len(known)} of unknown time" if len(left) > len(known) else "",
    ]
    return ", ".join(one for one in told if one)
