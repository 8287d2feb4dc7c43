"""Compiling by workers that take over from one another."""

from sqlalchemy.orm import Session

from games.sources import Source
from tests.workers.unproven import recorded_unproven
from workers.compilation.orders import order_from_json, plan_order
from workers.jobs.states import State
from workers.queue.leases import Lease
from workers.records.tables import Compilation, Job, Order
from workers.scoring import counts_of


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


def test_a_job_in_the_best_encoding_is_judged_in_the_one_that_won(context):
    """Eight measured bits of `lean`, of which the default's judge would read four."""
    (first,) = context.submit(Source("skat-4"), "sparse", encoding="best")
    assert (context.job(first).target, context.job(first).state) == ("all", "queued")
    job = context.until(first)
    with Session(context.engine) as session:
        made = session.get_one(Compilation, job.compilation_id)
        assert (made.encoding, made.target, made.order_digest) == (
            "lean",
            "all:8",
            job.order_digest,
        )
        assert {one["name"]: one["left_out"] for one in made.encodings} == {
            "paper": "behind lean after a quick attempt",
            "lists": "behind lean after a quick attempt",
            "lists-win": "more than 5 times the size of lean before lowering",
            "lean": "",
            "lists-value": "more than 5 times the size of lean before lowering",
        }
        least = {one["name"]: one["two_qubit_gates"] for one in made.encodings}
        assert least["lean"] == made.chosen.two_qubit_gates < least["paper"]
    assert (job.state, job.target) == ("done", "all:8")
    assert {row.kind: row.legal_fraction for row in job.scores}["raw"] == 1
    assert any(measured >= 1 << 4 for measured in counts_of(job))
    (second,) = context.submit(Source("skat-4"), "sparse", encoding="best")
    assert context.until(second).compilation_id == job.compilation_id
    assert context.job(second).target == "all:8"
