"""Compiling by workers that take over from one another."""

from sqlalchemy.orm import Session

from workers.compiling import compile_program
from workers.orders import order_from_json, plan
from workers.records import Compilation, Job, Order
from workers.states import State


def test_a_job_runs_what_was_proven_though_two_workers_have_compiled_it(desk, ghz):
    (job_id,) = desk.submit()
    with Session(desk.engine) as session:
        job = session.get_one(Job, job_id)
        order = session.get_one(Order, job.order_digest)
        checked = plan(order_from_json(ghz, order.target, order.options))
        job.compilation = compile_program(session, checked, None, lambda _: None)
        job.state = State.VERIFYING
        later = compile_program(session, checked, None, lambda _: None).id
        assert later > job.compilation.id
    assert desk.until(job_id).state == "done"
    assert desk.job(job_id).compilation_id == later
    with Session(desk.engine) as session:
        assert [c.ready for c in session.query(Compilation).order_by(Compilation.id)] == [
            False,
            True,
        ]


def test_an_order_of_another_version_is_compiled_once(desk, monkeypatch):
    """Jobs that were submitted before an upgrade are compiled after it."""
    ids = desk.submit(repeat=3)
    monkeypatch.setattr("workers.orders.revision", lambda: "another")
    assert {desk.until(job_id).state for job_id in ids} == {"done"}
    with Session(desk.engine) as session:
        assert session.query(Compilation).count() == 1
