"""Jobs whose rounds are jobs: what a round is follows from what earlier ones have measured.

Nothing is kept between two looks but the rounds' own rows: whoever is told the same counts asks
for the same rounds, so it is led through those that are done, up to the first that are not. A
worker that dies thus loses nothing, and nothing is run, or paid for, twice.
"""

from collections.abc import Sequence

from attrs import define, field, frozen
from sqlalchemy.orm import Session

from compiler.errors import StichwerkError
from games.sources import Source
from workers.compilation.orders import CompileOrder, order_from_json
from workers.jobs.journal import note
from workers.jobs.keys import round_key
from workers.jobs.lookup import keyed_job
from workers.jobs.request import Submission, recorded_key
from workers.jobs.states import FINAL, State
from workers.jobs.submission import MOST_SEED, checked, submit
from workers.records.tables import Job, Order
from workers.stages.context import StageContext


class OpenRoundError(StichwerkError):
    """A round has not ended yet."""


class FailedRoundError(StichwerkError):
    """A round has measured nothing, so that its job cannot go on."""


@frozen
class Round:
    """What is run in a round.

    Args:
        order: what is compiled, and how.
        shots: of the run.
        told: what the job's events say of it.
    """

    order: CompileOrder
    shots: int
    told: str


def order_of(session: Session, job: Job) -> CompileOrder:
    """Return what a job asks to have compiled, from which its rounds follow."""
    row = session.get_one(Order, job.order_digest)
    source = Source(row.program, row.source, row.expected or b"")
    return order_from_json(source, row.target, row.options)


@define
class Rounds:
    """Has the rounds of a job run, one call after the other.

    Args:
        context: of the job.
    """

    context: StageContext
    _place: int = field(default=0, init=False)

    def ended(self, asked: Sequence[Round]) -> list[Job]:
        """Return the jobs of rounds that do not depend on each other, all of them done.

        Raises:
            OpenRoundError: if one is not; all of them are under way then.
            FailedRoundError: if one never will be.
        """
        first = self._place
        self._place += len(asked)
        jobs = [self._job(one, place) for place, one in enumerate(asked, start=first)]
        for place, job in enumerate(jobs, start=first):
            if job.state in FINAL and job.state != State.DONE:
                why = f": {job.error}" if job.error else ""
                raise FailedRoundError(f"round {place + 1}, job {job.id}, is {job.state}{why}")
        for place, job in enumerate(jobs, start=first):
            if job.state != State.DONE:
                raise OpenRoundError(f"round {place + 1}, job {job.id}, is {job.state}")
        return jobs

    def _job(self, asked: Round, place: int) -> Job:
        parent = self.context.job
        key = f"{parent.kind}-{parent.id}-{place}"
        known = keyed_job(self.context.session, recorded_key(key, parent.token_id))
        return self._begun(asked, key, place) if known is None else known

    def _begun(self, asked: Round, key: str, place: int) -> Job:
        session, parent = self.context.session, self.context.job
        self.context.lease.require()
        ready = checked(
            Submission(
                asked.order,
                parent.backend,
                asked.shots,
                (parent.seed + place) & MOST_SEED,
                tag=parent.tag,
                idempotency_key=key,
                token_id=parent.token_id,
                parent_id=parent.id,
                run_options=parent.run_options,
                provider_key=round_key(parent.key, place),
            )
        )
        note(session, parent, parent.state, f"round {place + 1}: {asked.told}")
        (one,) = submit(session, self.context.settings, ready)
        return one
