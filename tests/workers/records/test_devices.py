"""Devices in the records: another process knows them from there."""

import zlib

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.formats.circuit_files import read_qpy
from compiler.targets import device as devices
from compiler.targets.device import Device, Placed, QubitCalibration, make_known
from workers.compilation.orders import CompileOrder
from workers.jobs.request import Submission
from workers.jobs.submission import checked, run_again, submit
from workers.jobs.without_queue import finish_job
from workers.records.devices import keep_device, recall_device
from workers.records.tables import Candidate, CircuitRow, DeviceRow, Job
from workers.settings import settings


@pytest.fixture
def spec():
    places = {g: tuple(Placed((q,), 1e-3) for q in range(3)) for g in ("rz", "sx", "measure")}
    line = tuple(Placed((q, q + 1), 1e-2) for q in range(2))
    return make_known(Device("kept", (QubitCalibration(),) * 3, {"cz": line, **places}))


def forget(spec):
    del devices._devices[spec]


def test_a_device_is_kept_once_and_recalled(each_engine, spec):
    with Session(each_engine) as session:
        for _ in range(2):
            keep_device(session, spec)
            keep_device(session, "star:5")
        session.commit()
        assert session.scalar(select(func.count()).select_from(DeviceRow)) == 1
        expected = devices.known_device(spec)
        forget(spec)
        recall_device(session, str(spec))
        assert devices.known_device(spec) == expected
        recall_device(session, "device:nobody:0123456789ab")
        assert devices.known_device("device:nobody:0123456789ab") is None


def test_a_job_runs_where_nobody_has_read_the_file(each_engine, spec, ghz):
    order = CompileOrder(ghz, spec, Options("fast"))
    asked = checked(Submission(order, f"aer:{spec}", 200))
    with Session(each_engine, expire_on_commit=False) as session:
        (job,) = submit(session, settings(), asked)
        assert job.target == spec
        # A worker in another process, say.
        forget(spec)
        finish_job(session, job)
        assert sum(job.counts.values()) == 200
        assert job.compiled.verified == "exact"
        forget(spec)
        (again,) = run_again(session, settings(), job.id)
        forget(spec)
        finish_job(session, again)
        assert session.get_one(Job, again.id).state == "done"


NATIVE, LOGICAL = b"native" * 9, b"logical" * 9


def test_the_same_circuits_are_kept_once_and_of_the_chosen_only(session, compiled, ghz):
    first, second = compiled(ghz), compiled(ghz)
    assert len(first.candidates) > 1
    for made in (first, second):
        kept = [one for one in made.candidates if one.native or one.logical]
        assert kept == [made.chosen]
        assert (made.chosen.pending_native, made.chosen.pending_logical) == (None, None)
        read_qpy(made.chosen.native, "native")
        read_qpy(made.chosen.logical, "logical")
    assert first.chosen.native_sha256 == second.chosen.native_sha256
    assert session.scalar(select(func.count()).select_from(CircuitRow)) == 2


def test_circuits_are_compressed(each_engine):
    with Session(each_engine) as session:
        session.add(CircuitRow(digest="d", content=NATIVE * 100))
        session.commit()
        kept = session.connection().exec_driver_sql("SELECT content FROM circuits").scalar_one()
        assert zlib.decompress(bytes(kept)) == NATIVE * 100
        assert len(bytes(kept)) < len(NATIVE)


@pytest.mark.parametrize("kind", ["native", "logical"])
def test_a_candidate_forgets_its_circuit(kind):
    one = Candidate(native=NATIVE, logical=LOGICAL)
    setattr(one, kind, None)
    assert (one.native is None, one.logical is None) == (kind == "native", kind == "logical")
