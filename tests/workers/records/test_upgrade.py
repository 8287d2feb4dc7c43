"""The version before on the tables of this one, while both run side by side.

These are the statements that its programs send, as they were recorded; its own code is not needed.
"""

from datetime import UTC, datetime

import pytest
from sqlalchemy import DateTime, bindparam, text
from sqlalchemy.orm import Session

from backends import CircuitJob
from compiler.formats.circuit_files import read_qpy
from service.answers.jobs import job_answer, jobs_page
from workers.jobs.states import State
from workers.queue import worker as worker_module
from workers.records.tables import Job, Order, Token

KEY = "k" * 32

ORDER = (
    "INSERT INTO orders (digest, created_at, program, source, target, options, error, lease_owner, "
    "lease_until) VALUES (:digest, :at, 'ghz.qasm', :source, 'all:3', :options, NULL, NULL, NULL)"
)
JOB = (
    "INSERT INTO jobs (order_digest, compilation_id, program, target, key, idempotency_key, "
    "backend, shots, seed, tag, token_id, retry_of, state, state_since, created_at, submitted_at, "
    "asked_at, finished_at, due_at, lease_owner, lease_until, version, failures, provider_id, "
    "provider_address, provider_state, queue_position, cancel_requested, estimated_cost_microusd, "
    "max_cost_microusd, run_seconds, raw_result, counts, error) VALUES (:digest, NULL, 'ghz.qasm', "
    "'all:3', :key, NULL, :backend, 50, 0, NULL, NULL, NULL, 'queued', :at, :at, NULL, NULL, NULL, "
    ":at, NULL, NULL, 1, 0, NULL, NULL, NULL, NULL, :no, NULL, NULL, NULL, NULL, NULL, NULL)"
)
TOKEN = (
    "INSERT INTO tokens (created_at, name, digest, scopes, revoked_at) "
    "VALUES (:at, 'old', 'd', '[\"read\"]', NULL)"
)
TAKE = (
    "UPDATE jobs SET lease_owner='old', lease_until=:at, version=(jobs.version + 1), failures=CASE "
    "WHEN (jobs.lease_owner IS NOT NULL) THEN jobs.failures + 1 ELSE jobs.failures END WHERE "
    "jobs.id = :id AND (jobs.state NOT IN ('cancelled', 'done', 'failed')) AND (jobs.lease_until "
    "IS NULL OR jobs.lease_until < :at)"
)
ASK = (
    "UPDATE jobs SET state='submitting', submitted_at=:at, asked_at=:at, version=version + 1, "
    "estimated_cost_microusd=550000, provider_address=:address WHERE jobs.id = :id"
)
RESERVE = (
    "INSERT INTO spending (budget, reserved_microusd) VALUES (:budget, 0) ON CONFLICT DO NOTHING",
    "UPDATE spending SET reserved_microusd=(spending.reserved_microusd + 550000) "
    "WHERE spending.budget = :budget AND spending.reserved_microusd + 550000 <= 10000000",
)
RELEASE = "UPDATE jobs SET lease_owner=NULL, lease_until=NULL WHERE jobs.id = :id"


@pytest.fixture
def engine(each_engine):
    """An empty database of each kind."""
    return each_engine


def as_the_version_before(context, *statements, **given):
    """Send statements in one transaction."""
    values = {"at": datetime.now(UTC), "no": False, "backend": context.backend}
    values |= {"address": context.provider.address()} | given
    with context.engine.begin() as connection:
        for statement in statements:
            sent = text(statement)
            names = sent.compile().params
            if "at" in names:
                # As SQLAlchemy wrote it then, too.
                sent = sent.bindparams(bindparam("at", type_=DateTime(timezone=True)))
            connection.execute(sent, {name: values[name] for name in names})


def old_job(context):
    """Record a job as the version before would; return its number."""
    (new,) = context.submit()
    with Session(context.engine) as session:
        order = session.get_one(Order, context.job(new).order_digest)
        source, digest = order.source, order.digest
    assert source.startswith(b"OPENQASM")
    as_the_version_before(context, JOB, digest=digest, key=KEY)
    return new + 1


def test_what_the_version_before_records_is_done(context):
    job_id = old_job(context)
    assert (context.job(job_id).asks, context.job(job_id).doubtful) == (0, False)
    assert context.until(job_id).state == "done"
    assert context.job(job_id).key in context.provider.accepted()


def test_what_the_version_before_has_asked_for_is_looked_for(context, monkeypatch):
    """Its worker has asked the provider, and was replaced before it heard the answer."""
    job_id = old_job(context)
    with monkeypatch.context() as patch:
        stages = {**worker_module.STAGES, State.SUBMITTING: lambda _: False}
        patch.setattr(worker_module, "STAGES", stages)
        assert context.until(job_id, "submitting").state == "submitting"
    as_the_version_before(context, TAKE, ASK, *RESERVE, RELEASE, id=job_id, budget="day:2026-01-31")
    with Session(context.engine) as session:
        job = session.get_one(Job, job_id)
        native = read_qpy(job.compiled.chosen.native, job.program)
    circuit_job = CircuitJob(native, job.target, 50, 0)
    context.provider.submit(circuit_job, KEY, fence=context.provider.fence())
    assert context.until(job_id).state == "done"
    assert context.provider.accepted().count(KEY) == 1


def test_its_other_records_can_be_read(context):
    as_the_version_before(
        context, ORDER, TOKEN, digest="o" * 64, source=b"OPENQASM 2.0;", options="{}"
    )
    job_id = old_job(context)
    with Session(context.engine) as session:
        order = session.get_one(Order, "o" * 64)
        assert (order.deaths, order.quarantined_at, order.expected) == (0, None, None)
        assert session.query(Token).one().expires_at is None
        assert [row["id"] for row in jobs_page(session)] == [job_id, job_id - 1]
        answer = job_answer(session, session.get_one(Job, job_id))
    assert (answer["asks"], answer["ledger"], answer["quarantined"]) == (0, [], None)
