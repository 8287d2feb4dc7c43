"""Compiling by workers that take over from one another."""

from sqlalchemy.orm import Session

from workers.compilation.compiling import compile_program
from workers.compilation.orders import order_from_json, plan
from workers.jobs.states import State
from workers.records.tables import Compilation, Job, Order


def test_a_job_runs_what_was_proven_though_two_workers_have_compiled_it(context, ghz):
    (job_id,) = context.submit()
    with Session(context.engine) as session:
        job = session.get_one(Job, job_id)
        order = session.get_one(Order, job.order_digest)
        checked = plan(order_from_json(ghz, order.target, order.options))
        job.compilation = compile_program(session, checked, None, lambda _: None)
        job.state = State.VERIFYING
        later = compile_program(session, checked, None, lambda _: None).id
        assert later > job.compilation.id
    assert context.until(job_id).state == "done"
    assert context.job(job_id).compilation_id == later
    with Session(context.engine) as session:
        assert [c.ready for c in session.query(Compilation).order_by(Compilation.id)] == [
            False,
            True,
        ]


def test_an_order_of_another_version_is_compiled_once(context, monkeypatch):
    """Jobs that were submitted before an upgrade are compiled after it."""
    ids = context.submit(repeat=3)
    monkeypatch.setattr("workers.compilation.orders.revision", lambda: "another")
    assert {context.until(job_id).state for job_id in ids} == {"done"}
    with Session(context.engine) as session:
        assert session.query(Compilation).count() == 1
