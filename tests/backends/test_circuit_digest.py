"""What tells circuits apart: the same for copies, another for whatever a machine would notice."""

import io
import math

import pytest
from qiskit import QuantumCircuit, QuantumRegister, qpy
from qiskit.circuit import ClassicalRegister
from qiskit.circuit.classical import expr

from backends import CircuitJob
from backends.circuit_digest import circuit_digest


def circuit(*, angle=0.1, qubit=0, bit=0, value=1, made_of=2):
    """Return a circuit, of which one thing may be another."""
    made = QuantumCircuit(QuantumRegister(3, "q"), ClassicalRegister(2, "c"))
    made.r(angle, math.pi / 3, qubit)
    made.sx(1)
    made.cz(0, 1)
    made.measure(0, bit)
    with made.if_test((made.clbits[0], value)) as otherwise:
        made.x(1)
        with made.if_test(expr.equal(made.cregs[0], made_of)):
            made.x(2)
    with otherwise:
        made.rz(angle, 2)
    return made


def test_a_copy_has_the_same_digest_and_a_job_keeps_it():
    wanted = circuit_digest(circuit())
    assert len(wanted) == 64
    job = CircuitJob(circuit(), "all", 1, 0)
    assert job.digest == wanted
    assert job.digest is job.digest
    stored = io.BytesIO()
    qpy.dump(circuit(), stored)
    stored.seek(0)
    assert circuit_digest(qpy.load(stored)[0]) == wanted
    renamed = circuit()
    renamed.name, renamed.metadata, renamed.global_phase = "other", {"a": 1}, 1.0
    assert circuit_digest(renamed) == wanted


@pytest.mark.parametrize(
    "changes",
    [
        {"angle": math.nextafter(0.1, 1)},
        {"qubit": 2},
        {"bit": 1},
        {"value": 0},
        {"made_of": 1},
    ],
    ids=str,
)
def test_what_a_machine_would_notice_changes_the_digest(changes):
    assert circuit_digest(circuit(**changes)) != circuit_digest(circuit())


def test_the_same_angle_in_another_type_is_the_same():
    assert circuit_digest(circuit(angle=1)) == circuit_digest(circuit(angle=1.0))
