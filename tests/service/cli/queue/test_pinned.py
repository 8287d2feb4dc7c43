"""The very circuit of an earlier job again."""

from sqlalchemy.orm import Session

from tests.service.cli.queue.asked import submit
from workers.records.database import open_database
from workers.records.tables import Job


def test_a_pinned_circuit_runs_again_though_the_compiler_changed(stichwerk, work, folder):
    (first,) = submit(stichwerk, "toy.toml", "-b", "sparse", "--method", "fast", "--shots", "60")
    work(first)
    again = submit(stichwerk, "--like-job", str(first), "--repeat", "2", "--tag", "nightly")
    for job in again:
        work(job)
    engine = open_database(str(folder / "stichwerk.sqlite"))
    with Session(engine) as session:
        rows = [session.get_one(Job, job) for job in (first, *again)]
        assert [row.state for row in rows] == ["done"] * 3
        assert len({row.compilation_id for row in rows}) == 1
        assert [row.order_digest is None for row in rows] == [False, True, True]
        assert [(row.shots, row.backend, row.tag) for row in rows[1:]] == [
            (60, "sparse", "nightly")
        ] * 2
        assert len({row.seed for row in rows}) == 3
        assert rows[0].counts != rows[1].counts
        assert [score.kind for score in rows[1].scores] == [score.kind for score in rows[0].scores]
        assert rows[1].events[0].state == "submitting"
    (other,) = submit(stichwerk, "--like-job", str(first), "-b", "aer", "--shots", "70")
    with Session(engine) as session:
        row = session.get_one(Job, other)
        assert (row.backend, row.shots, row.compilation_id) == ("aer", 70, rows[0].compilation_id)
    engine.dispose()
