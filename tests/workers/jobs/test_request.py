"""Requests and rows hold the options of a run as a whole."""

import pytest
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.words.run_options import PLAIN, RunOptions
from games.sources import Source
from workers.compilation.orders import CompileOrder
from workers.jobs.request import ConflictError, Submission
from workers.records.tables import Job
from workers.records.tables.jobs import RUN_COLUMNS

OPTIONS = RunOptions(decoupling=True, twirling=True, noise=3)


def test_a_row_and_its_copies_hold_all_options(context):
    (job_id,) = context.submit(run_options=OPTIONS, idempotency_key="key")
    assert context.submit(run_options=OPTIONS, idempotency_key="key") == [job_id]
    with pytest.raises(ConflictError):
        context.submit(run_options=PLAIN, idempotency_key="key")
    with Session(context.engine) as session:
        job = session.get_one(Job, job_id)
        assert job.run_options == OPTIONS
        again = job.another(seed=7)
        same = [name for name in RUN_COLUMNS if getattr(again, name) == getattr(job, name)]
        assert set(RUN_COLUMNS) - set(same) == {"seed"}
        session.add(again)
        session.commit()
        assert session.get_one(Job, again.id).run_options == OPTIONS


def test_a_submission_is_read_as_it_was_written():
    order = CompileOrder(Source("a.qasm", b"OPENQASM 3.0;", b"{}"), "star:5", Options("fast"))
    asked = Submission(order, "sparse", 10, 3, tag="t", idempotency_key="k", run_options=OPTIONS)
    assert Submission.from_json(asked.as_json()) == asked
