"""Compiling by workers that take over from one another."""

from sqlalchemy.orm import Session

from tests.workers.unproven import recorded_unproven
from workers.compilation.orders import order_from_json, plan_order
from workers.jobs.states import State
from workers.queue.leases import Lease
from workers.records.tables import Compilation, Job, Order


def test_the_row_of_a_job_has_the_progress_of_its_compilation(context, monkeypatch):
    """At once, since a worker waits a second before it writes the next line."""
    monkeypatch.setattr("workers.queue.leases.SHOW_SECONDS", 0)
    (job_id,) = context.submit()
    show, shown = Lease.show, set()

    def kept(lease, line):
        show(lease, line)
        shown.add(context.job(job_id).progress)

    monkeypatch.setattr(Lease, "show", kept)
    assert context.until(job_id).state == "done"
    assert any("two-qubit gates" in line for line in shown)
    assert any("verified exact" in line for line in shown)
    assert context.job(job_id).progress is None


def test_a_job_runs_what_was_proven_though_two_workers_have_compiled_it(context, ghz):
    (job_id,) = context.submit()
    with Session(context.engine) as session:
        job = session.get_one(Job, job_id)
        order = session.get_one(Order, job.order_digest)
        checked = plan_order(order_from_json(ghz, order.target, order.options))
        job.compilation = recorded_unproven(session, *checked)
        job.state = State.VERIFYING
        later = recorded_unproven(session, *checked).id
        assert later > job.compilation.id
    assert context.until(job_id).state == "done"
    assert context.job(job_id).compilation_id == later
    with Session(context.engine) as session:
        assert [c.ready for c in session.query(Compilation).order_by(Compilation.id)] == [
            False,
            True,
        ]
