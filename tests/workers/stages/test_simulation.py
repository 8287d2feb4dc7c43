"""Simulations apart from the worker: the same results, and an end when nobody wants them."""

import threading
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from tests.servers.process import wait_until
from tests.workers.poison_backend import Poison
from workers.jobs.control import cancel
from workers.records.tables import Job
from workers.stages.context import StageContext as Stage
from workers.stages.context import shared_backend

PATIENT_SECONDS = 300.0


@pytest.mark.parametrize(
    "spec", ["sparse", "aer", pytest.param("aer:torino", marks=pytest.mark.full)]
)
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


@pytest.fixture
def lingering(tmp_path, monkeypatch):
    """A simulator that never comes back, and the file in which it says which process it is."""
    poison = shared_backend("poison:linger")
    assert isinstance(poison, Poison)
    monkeypatch.setattr(poison, "file", str(tmp_path / "process"))
    return tmp_path / "process"


def ended(file):
    status = Path(f"/proc/{file.read_text()}/status")
    return not status.exists() or "\nState:\tZ" in status.read_text()


def test_a_simulation_ends_when_its_job_is_cancelled(context, lingering):
    (job_id,) = context.submit(backend="poison:linger")

    def cancelled():
        assert wait_until(lambda: lingering.exists() and lingering.read_text(), PATIENT_SECONDS)
        context.control(cancel, job_id)

    other = threading.Thread(target=cancelled)
    other.start()
    context.sweep()
    other.join()
    assert context.job(job_id).state == "cancelled"
    assert wait_until(lambda: ended(lingering), PATIENT_SECONDS)


def test_a_simulation_ends_when_another_worker_has_its_job(context, lingering):
    (job_id,) = context.submit(backend="poison:linger")

    def taken():
        assert wait_until(lambda: lingering.exists() and lingering.read_text(), PATIENT_SECONDS)
        with Session(context.engine) as session:
            session.get_one(Job, job_id).lease_owner = "another"
            session.commit()

    other = threading.Thread(target=taken)
    other.start()
    context.sweep()
    other.join()
    assert context.job(job_id).state == "running", "it is the other's to say more"
    assert wait_until(lambda: ended(lingering), PATIENT_SECONDS)
