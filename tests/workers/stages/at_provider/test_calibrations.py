"""Calibrations that circuits are compiled for: recorded, and renewed before submission."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy.orm import Session

from backends.devices.reading import live_target
from service.results.jobs.details import JobDetails
from tests.workers.stages.at_provider.real_sdks import Service, servers

__all__ = ["servers"]

FEBRUARY = datetime(2025, 2, 1, tzinfo=UTC)
"""Month of the shipped calibration of Torino."""


def circuit_of(service, job_id):
    with Session(service.engine) as session:
        return JobDetails.of_job(session, session.get_one(type(service.job(job_id)), job_id))


def test_a_snapshot_is_compiled_for_as_it_is(engine, servers):
    service = Service(engine, servers)
    details = circuit_of(service, service.submit("ibm:torino"))
    circuit = details.compilation
    assert circuit.calibrated_at - FEBRUARY < timedelta(days=28)
    assert len(circuit.calibration_digest) == 12
    assert circuit.calibration_age_hours > 365 * 24


@pytest.mark.parametrize(("hours", "is_renewed"), [(24.5, True), (1e6, False)])
def test_an_old_calibration_is_renewed(engine, servers, hours, is_renewed):
    service = Service(engine, servers)
    job_id = service.submit("ibm:torino", max_calibration_hours=hours)
    before = service.job(job_id)
    job = service.until(job_id, "at_provider")
    target = live_target("ibm:torino") if is_renewed else "heavy-hex:torino"
    assert (job.state, job.target) == ("at_provider", target)
    assert (job.compilation_id != before.compilation_id) is is_renewed
    assert (job.order_digest != before.order_digest) is is_renewed
    age = circuit_of(service, job_id).compilation.calibration_age_hours
    assert (age < 24.5) is is_renewed
    assert len(service.accepted()) == 1


def test_the_newest_calibration_is_not_renewed(engine, servers):
    service = Service(engine, servers)
    first = service.until(service.submit("ibm:torino", max_calibration_hours=1), "at_provider")
    again = service.until(service.submit("ibm:torino", max_calibration_hours=0), "at_provider")
    assert again.target == first.target
    assert sum("compiled anew" in event for event in service.events(again.id)) == 1
