"""Groups of jobs whose circuits are one provider job: IBM's PUBs, Braket's program sets.

Jobs of the same parent are grouped when all of them are compiled. The first of a group, its
*leader*, submits the circuits of all under its own key. Fence, doubt, last check, charge and
cancellation are the leader's, so that a group is submitted, and paid for, once. The others *follow*
it: each reads its part of the leader's result, found by its key or its program.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby

from attrs import frozen
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from backends import CircuitJob, ProviderBackend
from workers.accounts.budgets import microusd, shown
from workers.jobs.journal import note, storable, wait, wake
from workers.jobs.states import FINAL, UNCOMPILED, JobKind, State
from workers.records.tables import Job
from workers.stages.context import StageContext, shared_backend, stored_circuit


@frozen(eq=False)
class Group:
    """Jobs that become one provider job.

    Args:
        jobs: the leader first.
        cost: of the provider job, in millionths of US dollars.
        cost_alone: of as many provider jobs of one circuit each.
    """

    jobs: tuple[Job, ...]
    cost: int
    cost_alone: int


def plan_groups(jobs: Sequence[Job]) -> list[Group]:
    """Return the groups of compiled jobs of one parent, whose backends are providers'."""
    groups = []
    for spec, of_backend in groupby(sorted(jobs, key=lambda job: (job.backend, job.id)), _backend):
        left = list(of_backend)
        while left:
            groups.append(_first_group(spec, left))
            left = [job for job in left if job not in groups[-1].jobs]
    return groups


def _backend(job: Job) -> str:
    return job.backend


def _first_group(spec: str, jobs: Sequence[Job]) -> Group:
    backend = shared_backend(spec)
    assert isinstance(backend, ProviderBackend)
    circuits = {stored_circuit(job).circuit_job: job for job in jobs}
    together = backend.together(list(circuits))
    alone = sum(microusd(backend.estimated_cost_usd([circuit])) for circuit in together)
    cost = microusd(backend.estimated_cost_usd(together))
    return Group(tuple(circuits[circuit] for circuit in together), cost, alone)


def is_grouped(context: StageContext) -> bool:
    """Return whether a job leads its group; others wait for their siblings or for their leader.

    A group is committed before the first call of its provider. The siblings with the
    lowest number lead, so that the same jobs form the same group under the same key if records are
    lost and recorded anew.
    """
    session, job = context.session, context.job
    if job.leader_id is not None or job.parent_id is None:
        return not job.follows
    parent = session.get_one(Job, job.parent_id, populate_existing=True)
    if not parent.is_parent:
        return True
    siblings = (
        Job.parent_id == parent.id,
        Job.backend == job.backend,
        Job.state.in_((*UNCOMPILED, State.SUBMITTING)),
        Job.leader_id.is_(None),
        # Jobs that a command has left behind are not continued.
        Job.due_at.is_(None) if job.due_at is None else Job.due_at.is_not(None),
    )
    rows = session.execute(select(Job.id, Job.state).where(*siblings).order_by(Job.id)).all()
    # A leased estimate or training may be recording further circuits of its step. If its worker has
    # died, the next one records them: it takes the lease over, whether that has run out or not.
    is_open = parent.lease_owner is not None and parent.kind != JobKind.BATCH
    is_first = bool(rows) and rows[0].id == job.id
    if is_open or not is_first or any(row.state in UNCOMPILED for row in rows):
        wait(session, job, context.settings.poll_seconds)
        return False
    in_order = select(Job).where(Job.id.in_([row.id for row in rows])).order_by(Job.id)
    group = _first_group(job.backend, session.scalars(in_order).all())
    job.leader_id = job.id
    followers = [follower.id for follower in group.jobs[1:]]
    if followers:
        free = Job.id.in_(followers), Job.leader_id.is_(None), Job.state == State.SUBMITTING
        taken = session.connection().execute(
            update(Job).where(*free).values(leader_id=job.id, version=Job.version + 1)
        )
        if taken.rowcount < len(followers):
            context.roll_back()
            wait(session, job, 0)
            return False
        saved = shown(group.cost_alone - group.cost)
        numbers = ", ".join(map(str, followers))
        note(session, job, f"submitted with jobs {numbers}: {saved} less than alone")
    session.commit()
    return True


def circuits_to_submit(context: StageContext) -> Mapping[str, CircuitJob]:
    """Return the circuits of a leader's provider job by key, its own first.

    Followers that have ended leave the group, which is then sent as it is.
    """
    session, job = context.session, context.job
    if job.leader_id is None:
        return submitted_circuits(context)
    ended = Job.leader_id == job.id, Job.id != job.id, Job.state.in_(FINAL)
    session.connection().execute(
        update(Job).where(*ended).values(leader_id=None, version=Job.version + 1)
    )
    circuits = submitted_circuits(context)
    session.commit()
    return circuits


def hold_group(context: StageContext, circuits: int) -> bool:
    """Return whether a group has so many circuits; none leaves it before the caller commits."""
    job = context.job
    if job.leader_id is None:
        return True
    follow = update(Job).where(Job.leader_id == job.id, Job.id != job.id)
    held = context.session.connection().execute(follow.values(version=Job.version + 1))
    return held.rowcount == circuits - 1


def submitted_circuits(context: StageContext) -> Mapping[str, CircuitJob]:
    """Return the circuits of a leader's provider job by key, its own first."""
    jobs = (context.job, *followers_of(context.session, context.job))
    return {job.key: stored_circuit(job).circuit_job for job in jobs}


def followers_of(session: Session, job: Job) -> Sequence[Job]:
    """Return the jobs that follow a job, by number."""
    if job.leader_id is None:
        return ()
    follow = Job.leader_id == job.id, Job.id != job.id
    return session.scalars(select(Job).where(*follow).order_by(Job.id)).all()


def circuit_count(session: Session, job: Job) -> int:
    """Return the number of circuits in the provider job that has a job's circuit."""
    if job.leader_id is None:
        return 1
    group = select(func.count()).where(Job.leader_id == job.leader_id)
    return session.scalar(group) or 1


def set_apart(context: StageContext, refusals: Mapping[str, str] | None = None) -> None:
    """Take followers out of a group that their provider does not have; the caller commits.

    Args:
        context: of the leader.
        refusals: reasons of the followers that fail, by key; None lets all be submitted alone.
    """
    for follower in followers_of(context.session, context.job):
        if refusals is not None and follower.key not in refusals:
            continue
        refusal = storable(refusals[follower.key]) if refusals else None
        apart = Job.id == follower.id, Job.state.not_in(FINAL)
        values = {"leader_id": follower.id, "refusal": refusal, "version": Job.version + 1}
        context.session.connection().execute(update(Job).where(*apart).values(values))
        wake(context.session, *apart)
