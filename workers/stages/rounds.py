"""Estimating: a job whose rounds are jobs, each of which says what the next one is.

Nothing is kept between two looks but the rounds' own rows: an estimator that is told the same
counts asks for the same rounds, so it is led through those that are done, up to the first that
is not. A worker that dies thus loses nothing, and nothing is run, or paid for, twice.
"""

from functools import lru_cache

from attrs import define, field
from sqlalchemy.orm import Session

from compiler.amplification.event import Event
from compiler.amplification.iterate import Amplification, amplified
from compiler.errors import StichwerkError
from compiler.formats.circuit_files import qpy_bytes
from games.sources import Source, read_program
from workers.compilation.orders import CompileOrder, order_from_json
from workers.estimation.asked import estimation_from_json, recorded_estimate
from workers.jobs.journal import Passed, move, note, wait
from workers.jobs.lookup import keyed_job
from workers.jobs.request import Submission, recorded_key
from workers.jobs.states import FINAL, State
from workers.jobs.submission import MOST_SEED, checked, submit
from workers.records.tables import Job, Order
from workers.scoring import counts_of
from workers.stages.context import StageContext


class OpenRoundError(StichwerkError):
    """A round has not ended yet."""


class FailedRoundError(StichwerkError):
    """A round has measured nothing, so that an estimate cannot go on."""


def estimate(context: StageContext) -> bool:
    """Take an estimate as far as its rounds have come."""
    session, job = context.session, context.job
    assert job.estimation is not None
    if job.state == State.QUEUED:
        move(session, job, State.RUNNING, by=Passed(State.SUBMITTING))
    asked, order = estimation_from_json(job.estimation), _order(session, job)
    amplification = _amplified(order.source, order.encoding, asked.observable)
    rounds = _Rounds(context, amplification, order)
    try:
        found = asked.asking(amplification.event).estimate(rounds)
    except OpenRoundError:
        wait(session, job, context.settings.poll_seconds)
        return False
    job.estimate = recorded_estimate(found, asked, amplification.event, order.options)
    job.error = None
    move(session, job, State.DONE, by=Passed(State.SCORING))
    return False


def _order(session: Session, job: Job) -> CompileOrder:
    row = session.get_one(Order, job.order_digest)
    source = Source(row.program, row.source, row.expected or b"")
    return order_from_json(source, row.target, row.options)


@lru_cache(maxsize=2)
def _amplified(source: Source, encoding: str, observable: str) -> Amplification:
    """Kept, because an estimate is looked at after each of its rounds."""
    return amplified(Event(read_program(source, encoding), observable))


@define
class _Rounds:
    """Answers an estimator from the rounds that are done; see `compiler.estimation.Oracle`.

    Args:
        context: of the estimate.
        amplification: what is run.
        order: how; its source is the program that is amplified.
    """

    context: StageContext
    amplification: Amplification
    order: CompileOrder
    _place: int = field(default=0, init=False)

    def __call__(self, iterates: int, shots: int) -> int:
        """Return in how many shots the event happened.

        Raises:
            OpenRoundError: if that is not known yet.
            FailedRoundError: if it never will be.
        """
        parent, place = self.context.job, self._place
        self._place += 1
        key = f"estimate-{parent.id}-{place}"
        one = keyed_job(self.context.session, recorded_key(key, parent.token_id))
        if one is None:
            one = self._begun(key, iterates, shots, place)
        if one.state not in FINAL:
            raise OpenRoundError(f"round {place + 1}, job {one.id}, is {one.state}")
        if one.state != State.DONE:
            why = f": {one.error}" if one.error else ""
            raise FailedRoundError(f"round {place + 1}, job {one.id}, is {one.state}{why}")
        event = self.amplification.event
        return sum(n for measured, n in counts_of(one).items() if event.happens(measured))

    def _begun(self, key: str, iterates: int, shots: int, place: int) -> Job:
        session, parent = self.context.session, self.context.job
        self.context.lease.require()
        program = self.amplification.program(iterates)
        name = f"{self.order.source.name}, {iterates} iterates.qpy"
        asked = Submission(
            CompileOrder(
                Source(name, qpy_bytes(program.circuit)), self.order.target, self.order.options
            ),
            parent.backend,
            shots,
            (parent.seed + place) & MOST_SEED,
            tag=parent.tag,
            idempotency_key=key,
            token_id=parent.token_id,
            parent_id=parent.id,
        )
        note(session, parent, parent.state, f"round {place + 1}: {iterates} iterates")
        (one,) = submit(session, self.context.settings, checked(asked))
        return one
