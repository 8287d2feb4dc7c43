"""Programs that a provider ran, against those that were sent."""

from math import pi

import pytest
from qiskit import QuantumCircuit

from workers.stages.executed import Executed, compare_programs


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
