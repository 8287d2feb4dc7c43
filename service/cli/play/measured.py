"""Where a command's match is measured: exactly, on a backend, or there through the queue."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from sqlalchemy.orm import Session

from backends import backend_from_spec
from compiler.errors import InputError
from games.playing.measurements.backend_oracle import BackendOracle
from games.playing.measurements.oracle import ExactOracle, Oracle
from service.cli.output.printing import say
from workers.jobs.matches.here import HereTrials
from workers.jobs.matches.queued import QueuedTrials, WaitingTrials
from workers.jobs.matches.wanted import keys_of
from workers.jobs.states import Queue
from workers.queue.heartbeats import listeners, nobody_listens, runners
from workers.records.database import open_database
from workers.settings import dollars, settings


def check_backend(backend: str, *, queue: bool, max_cost: str) -> None:
    """Check where a match is to be measured, before anybody plays.

    Raises:
        InputError: if there is no such backend, or none is named and one is needed.
    """
    if backend:
        backend_from_spec(backend)
    elif queue or max_cost:
        option = "--queue" if queue else "--max-cost"
        raise InputError(f"{option}: nothing is run without --backend; see 'stichwerk backends'")
    if max_cost:
        dollars(max_cost)


@contextmanager
def oracle_on(
    backend: str, seed: int, nonce: str, *, queue: bool, max_cost: str, database: str
) -> Iterator[Oracle]:
    """Yield what measures.

    Args:
        backend: that runs circuits; empty for the exact simulator.
        seed: of all chance.
        nonce: of the match.
        queue: whether workers run them.
        max_cost: of one job; empty for no limit.
        database: where jobs are recorded; empty for the usual one.
    """
    if not backend:
        yield ExactOracle(seed)
        return
    set_ = settings()
    limit = dollars(max_cost) if max_cost else None
    keys = keys_of(nonce, backend)
    engine = open_database(database or set_.database)
    with Session(engine) as session:
        run: WaitingTrials | HereTrials
        if queue:
            for missing in _unattended(session):
                say(nobody_listens(missing))
            run = WaitingTrials(
                QueuedTrials(
                    partial(Session, engine), set_, backend, seed, keys, _tell,
                    max_cost_usd=limit,
                ),
                say,
            )  # fmt: skip
        else:
            run = HereTrials(session, backend, seed, keys, limit, say)
        yield BackendOracle(backend, seed, run, run.look)


def _unattended(session: Session) -> list[Queue]:
    listening = listeners(runners(session))
    session.commit()
    return [queue for queue in (Queue.COMPILE, Queue.SCORE) if not listening[queue]]


def _tell(job_id: int) -> None:
    # Its library takes long to import, and most matches need none.
    from workers.queue.broker import send_if_possible

    send_if_possible(job_id, Queue.COMPILE)
