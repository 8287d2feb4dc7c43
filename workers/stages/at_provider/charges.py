"""Charges of jobs: entered in the ledger, and asked for again if a provider tells them late.

A job that has ended does not wait for its charge. When a provider is next asked for it is a column
of the row, which changes neither the job's state nor its version: others may score the job anew or
retry it meanwhile. Until the charge is known, the reservation stands.
"""

import logging
from datetime import datetime, timedelta

from sqlalchemy import Engine, select, update
from sqlalchemy.orm import Session

from backends import BackendError, Charge, PriceError, ProviderBackend
from compiler.errors import StichwerkError
from workers.accounts.budgets import charge, microusd
from workers.clock import database_now
from workers.jobs.journal import note
from workers.records.tables import Job
from workers.settings import Settings
from workers.stages.at_provider.provider import Provider
from workers.stages.context import shared_backend

LOG = logging.getLogger("stichwerk.worker")

ASKED_FOR = timedelta(days=7)
"""After this time since a job has ended, its charge is not asked for again."""


def charge_of(provider: Provider, provider_id: str) -> Charge | None:
    """Return the charge of a job, None if its provider has not reported it."""
    try:
        return provider.ask(provider.backend.charge, provider_id)
    except (BackendError, PriceError):
        return None


def enter_charge(session: Session, job: Job, charged: Charge) -> None:
    """Replace a job's reservation by its charge, once; the caller commits."""
    session.connection().execute(
        update(Job)
        .where(Job.id == job.id)
        .values(usage_seconds=charged.seconds, charge_due_at=None)
    )
    if charged.usd is not None:
        charge(session, job, microusd(charged.usd))


def ask_for_charge(engine: Engine, set_: Settings, job_id: int | None = None) -> bool:
    """Ask a provider for a charge that is due to be asked for.

    Args:
        engine: of the database.
        set_: how long to wait before the provider is asked again.
        job_id: of which job; by default the one that has been due longest.

    Returns:
        whether a charge was entered.
    """
    with Session(engine, expire_on_commit=False) as session:
        job = _claimed(session, set_, job_id)
        if job is None:
            return False
        try:
            backend = shared_backend(job.backend)
        except StichwerkError as error:
            # A backend of another version, which its workers know.
            LOG.warning("job %s: its charge cannot be asked for: %s", job.id, error)
            return False
        assert isinstance(backend, ProviderBackend)
        provider = Provider(backend, job.backend, engine)
        charged = charge_of(provider, job.provider_id or "")
        if charged is None:
            return False
        enter_charge(session, job, charged)
        session.commit()
        return True


def _claimed(session: Session, set_: Settings, job_id: int | None) -> Job | None:
    """Return a job whose charge is due; it is due again after a pause, even after a crash."""
    at = database_now(session)
    due = select(Job).where(Job.charge_due_at <= at).order_by(Job.charge_due_at).limit(1)
    if job_id is not None:
        due = due.where(Job.id == job_id)
    job = session.scalars(due).one_or_none()
    if job is None:
        return None
    waited = at - (job.finished_at or job.state_since)
    again = _again(set_, at, waited)
    claimed = session.connection().execute(
        update(Job)
        .where(Job.id == job.id, Job.charge_due_at == job.charge_due_at)
        .values(charge_due_at=again)
    )
    if claimed.rowcount and again is None:
        note(
            session,
            job,
            job.state,
            "the provider has not reported the charge; the reservation remains",
        )
    session.commit()
    return job if claimed.rowcount else None


def _again(set_: Settings, at: datetime, waited: timedelta) -> datetime | None:
    """Return when to ask next: after as long as was waited already, within bounds."""
    if waited > ASKED_FOR:
        return None
    least, most = set_.poll_seconds, set_.outage_most_seconds
    return at + timedelta(seconds=min(max(least, waited.total_seconds()), most))
