"""Handing a training to the workers."""

from compiler.words.plurals import how_many
from games.commands import Handed, Training
from games.sources import Source, read_game
from games.training import trainings
from service.cli.output.printing import say


def hand_over(wanted: Training) -> Handed:
    """Record a training as a job, tell workers of it, and the user what it is going to take."""
    # Records take long to import, and most commands need none.
    from sqlalchemy.orm import Session

    from backends import target_on
    from compiler.compilation import Options
    from compiler.errors import InputError
    from service.cli.queue.sending import send_or_say, unattended_queues
    from workers.compilation.orders import CompileOrder
    from workers.jobs.request import Submission
    from workers.jobs.states import JobKind, Queue
    from workers.jobs.submission import checked, least_cost_usd, submit
    from workers.records.database import open_database
    from workers.settings import dollars, settings

    run = wanted.run
    source = Source(run.name, run.document.encode())
    circuits = trainings[wanted.asked["kind"]]().circuits(read_game(source), wanted.asked)
    order = CompileOrder(
        source,
        target_on(run.backend, ""),
        Options("fast", seed=run.seed, pipelines=run.pipelines),
    )
    limit = dollars(wanted.max_cost) if wanted.max_cost else None
    ready = checked(
        Submission(
            order, run.backend, run.shots, run.seed, tag=wanted.tag or None, max_cost_usd=limit,
            kind=JobKind.TRAINING, request=dict(wanted.asked),
        )
    )  # fmt: skip
    cost = least_cost_usd(run.backend, run.shots, circuits)
    set_ = settings()
    allowed = [one for one in (limit, set_.job_budget_usd) if one is not None]
    if allowed and cost > min(allowed):
        raise InputError(
            f"{circuits} circuits cost at least {cost.normalize():f} USD, and "
            f"{min(allowed).normalize():f} USD are allowed: take fewer steps or shots"
        )
    say(f"planned: {how_many(circuits, 'circuit')} of {how_many(run.shots, 'shot')} each")
    with Session(open_database(set_.database)) as session:
        (job,) = submit(session, set_, ready)
        job_id, unattended = job.id, unattended_queues(session, [run.backend])
    send_or_say([job_id], Queue.COMPILE, unattended)
    return Handed(job_id, circuits, f"{cost.normalize():f}")
