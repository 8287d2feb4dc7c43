"""Programs that a provider ran, against those that were sent."""

from math import pi

import pytest
from qiskit import QuantumCircuit
from sqlalchemy.orm import Session

from backends import ResultError
from compiler.dynamic.pieces import final_part
from tests.workers.folder_provider import FolderProvider
from workers.records.queries.runs import read_runs
from workers.records.tables import Job
from workers.stages.scoring import Executed, compare_programs


def circuit(places=(0, 1, 2), qubits=3, angle=pi / 2) -> QuantumCircuit:
    a, b, c = places
    made = QuantumCircuit(qubits, 2)
    made.r(pi / 2, 0.3, a)
    made.barrier()
    made.cz(a, c)
    made.r(0.4, 0.1, c)
    made.cz(c, b)
    made.r(angle, 0.0, b)
    made.measure([a, b], [0, 1])
    return made


def with_virtual_z() -> QuantumCircuit:
    made = circuit()
    made.data.insert(1, made.data[1].replace(qubits=made.qubits[1:2], operation=rz(0.7)))
    return made


def rz(angle):
    from qiskit.circuit.library import RZGate

    return RZGate(angle)


def empty() -> QuantumCircuit:
    made = QuantumCircuit(3, 2)
    made.measure([0, 1], [0, 1])
    return made


def wide() -> QuantumCircuit:
    made = QuantumCircuit(20, 20)
    made.sx(range(20))
    made.measure(range(20), range(20))
    return made


@pytest.mark.parametrize(
    ("sent", "ran", "verdict"),
    [
        (circuit(), circuit(qubits=9), Executed.IDENTICAL),
        (circuit(), circuit((5, 7, 2), 9), Executed.RENAMED),
        (circuit(), with_virtual_z(), Executed.EQUIVALENT),
        (circuit(), circuit(angle=1.2), Executed.DIFFERENT),
        (circuit(), empty(), Executed.DIFFERENT),
        (wide(), wide().compose(wide(), inplace=False), Executed.UNVERIFIED),
    ],
)  # fmt: skip
def test_programs_are_compared_by_what_they_measure(sent, ran, verdict):
    assert compare_programs(sent, ran)[0] is verdict


@pytest.fixture
def ran(context, monkeypatch):
    """Return a function that runs a job whose provider tells a program that `change` made."""

    def running(change, *, recompiled=False):
        def told(_, program, job, key):
            if change is None:
                raise ResultError("in no known form")
            return change(job.circuit)

        monkeypatch.setattr(FolderProvider, "executed_program", lambda *_: b"as it was told")
        monkeypatch.setattr(FolderProvider, "executed_circuit", told)
        monkeypatch.setattr(FolderProvider, "is_recompiled", lambda *_: recompiled)
        (job_id,) = context.submit()
        job = context.until(job_id)
        assert job.state == "done"
        return job

    return running


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        (lambda circuit: circuit, "identical"),
        (lambda circuit: final_part(circuit)[0].copy_empty_like(), "different"),
        (None, "unverified"),
    ],
)
def test_a_job_says_how_the_program_that_ran_compares(ran, context, change, verdict):
    job = ran(change)
    assert job.executed == verdict
    told = [detail for _, detail in context.events(job.id) if "a different program" in detail]
    assert len(told) == (verdict == "different")
    with Session(context.engine) as session:
        assert len(read_runs(session)) == (verdict != "different")
        assert session.get_one(Job, job.id).executed_program == b"as it was told"


def test_a_program_that_the_provider_compiled_says_so(ran):
    assert ran(None, recompiled=True).executed_detail.startswith("compiled by the provider; ")


def test_without_a_program_the_comparison_is_unverified(context):
    (job_id,) = context.submit()
    assert context.until(job_id).executed == "unverified"
