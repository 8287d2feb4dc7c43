"""Simulations apart from the worker: the same results."""

import pytest
from sqlalchemy.orm import Session

from workers.records.tables import Job
from workers.stages.context import StageContext as Stage
from workers.stages.context import shared_backend


@pytest.mark.parametrize("spec", ["sparse", "aer", "aer:torino"])
def test_the_counts_are_those_of_the_simulator_itself(context, toy, spec):
    (job_id,) = context.submit(toy, backend=spec, seed=5)
    context.until(job_id)
    with Session(context.engine) as session:
        job = session.get_one(Job, job_id)
        here = shared_backend(spec).run(
            Stage(session, job, None, context.settings, None, print).circuit_job()
        )
        assert job.state == "done"
        assert job.counts == {str(outcome): n for outcome, n in here.items()}
        assert sum(job.counts.values()) == job.shots
