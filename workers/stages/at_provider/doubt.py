"""Jobs that their provider may or may not have: searched for, until the provider has settled.

A worker that finds a submitted job without an answer searches for its key at the provider. It
submits again only after `settle_seconds` of searches in vain. That time begins when the first
worker that finds the job in doubt has closed its fence, and must have passed both by the database's
clock and by the steady clock of the worker's machine: one clock that jumps decides nothing. By then
the earlier submitter can neither send the request (its lease cannot be confirmed) nor still wait
for an answer, as long as settling takes longer than a call.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select, update

from backends import BackendError, CredentialsError, UnavailableError
from workers.clock import database_now, steady, steady_name
from workers.jobs.journal import note, wait, wake
from workers.records.backup import older_for_seconds
from workers.records.tables import Job
from workers.stages.at_provider.groups import followers_of
from workers.stages.at_provider.provider import Provider
from workers.stages.context import StageContext

LOG = logging.getLogger("stichwerk.worker")

SINCE = "since"
"""Key of the time at which a job was first found in doubt, by the database's clock; beside it, by
name, every steady clock that has seen it so."""

CLOCKS_DIFFER = timedelta(hours=1)
"""Largest delay of a provider's clock behind ours."""

LOOKS = 8
"""Minimum number of searches for a job while its provider settles."""


def begin(context: StageContext, provider: Provider) -> None:
    """Let the time that a provider is given to settle begin, unless it has begun."""
    session, job = context.session, context.job
    close(provider, job.fence)
    job.fence = None
    since = {SINCE: database_now(session).isoformat()} | (job.doubt_clocks or {})
    since.setdefault(steady_name(), steady())
    job.doubt_clocks, job.doubtful = since, True
    session.commit()


def close(provider: Provider, fence: str | None) -> None:
    """Close a fence, if there is one; one that the provider does not know is closed.

    Raises:
        UnavailableError: if that is not certain.
        CredentialsError: likewise.
    """
    if fence is None:
        return
    try:
        provider.ask(provider.backend.close_fence, fence)
    except (UnavailableError, CredentialsError):
        raise
    except BackendError as error:
        LOG.warning("the fence %s cannot be closed: %s", fence, error)


def unsettled_seconds(context: StageContext) -> float:
    """Return how long a provider still has, by the clock that has moved least."""
    since = context.job.doubt_clocks or {}
    passed = min(
        (database_now(context.session) - datetime.fromisoformat(since[SINCE])).total_seconds(),
        steady() - since[steady_name()],
    )
    return context.settings.settle_seconds - passed


def the_one_there(context: StageContext, provider: Provider) -> str | None:
    """Return the provider's id of a job, None if it has none; of several, all others are cancelled.

    The oldest one stays in every search, so that two workers at once cancel the same ones.
    """
    ids = without_twins(context, provider)
    if len(ids) > 1:
        note(
            context.session,
            context.job,
            f"cancelled duplicates: {', '.join(ids[1:])}",
        )
        context.session.commit()
    return ids[0] if ids else None


def is_regrouped(context: StageContext, provider: Provider) -> bool:
    """Return whether a job's provider has a part of its group, under the key of a follower.

    An older state of the database has forgotten why the first ones were not in that group, such as
    that they were cancelled. All from that follower on follow it now.
    """
    session, job = context.session, context.job
    followers = followers_of(session, job)
    begun = _begun(context)
    age = (database_now(session) - begun).total_seconds()
    if not followers or older_for_seconds(session) > age:
        return False
    session.commit()
    since = begun - CLOCKS_DIFFER
    leader = next(
        (
            follower
            for follower in followers
            if provider.ask(provider.backend.find, follower.key, since)
        ),
        None,
    )
    if leader is None:
        return False
    group = Job.leader_id == job.id, Job.id >= leader.id
    moved = update(Job).where(*group).values(leader_id=leader.id, version=Job.version + 1)
    session.connection().execute(moved)
    wake(session, Job.leader_id == leader.id)
    note(session, job, f"its provider has jobs from {leader.id} on without it")
    wait(session, job, 0)
    return True


def without_twins(context: StageContext, provider: Provider) -> Sequence[str]:
    """Return the ids of a job, the oldest first, all but that one cancelled now.

    So a worker that lost a job while its provider accepted it leaves the job there only once.
    """
    job = context.job
    ids = provider.ask(provider.backend.find, job.key, _begun(context) - CLOCKS_DIFFER)
    for twin in ids[1:]:
        LOG.warning("job %s: the provider has it twice: %s is cancelled", job.id, twin)
        try:
            provider.ask(provider.backend.cancel, twin)
        except (UnavailableError, CredentialsError):
            raise
        except BackendError as error:
            LOG.warning("job %s: the provider does not cancel %s: %s", job.id, twin, error)
    return ids


def _begun(context: StageContext) -> datetime:
    """Return since when a job may be at its provider.

    After a restoration it is recorded anew under a key that follows from an earlier job's, and its
    provider may have had it since that one was recorded.
    """
    session, job = context.session, context.job
    created, parent_id, retry_of = job.created_at, job.parent_id, job.retry_of
    while (before := parent_id or retry_of) is not None:
        created, parent_id, retry_of = session.execute(
            select(Job.created_at, Job.parent_id, Job.retry_of).where(Job.id == before)
        ).one()
    # No transaction stands still while a provider is asked.
    session.commit()
    return created
