"""The digest of a native circuit: what changes it, and what does not."""

from math import nextafter, pi

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.native_digest import native_digest


def native(angle=0.3, name="c"):
    circuit = QuantumCircuit(QuantumRegister(4, f"{name}q"), ClassicalRegister(2, name))
    circuit.rz(angle, 0)
    circuit.sx(1)
    circuit.cz(0, 1)
    circuit.x(3)
    circuit.measure([0, 3], [0, 1])
    return circuit


def test_names_phase_order_and_file_format_do_not_matter():
    other = QuantumCircuit(4, 2, global_phase=1.0)
    other.x(3)
    other.measure(3, 1)
    other.sx(1)
    other.rz(0.3, 0)
    other.cz(0, 1)
    other.measure(0, 0)
    read = read_qpy(qpy_bytes(native(name="other")), "read")
    assert native_digest(native()) == native_digest(other) == native_digest(read)
    assert native_digest(native(0.0)) == native_digest(native(-0.0))


def test_the_digest_is_of_this_text():
    """Worked out by hand with sha256sum, so that digests last longer than versions."""
    circuit = QuantumCircuit(2, 1)
    circuit.rz(0.5, 1)
    circuit.cz(1, 0)
    circuit.measure(1, 0)
    # printf '1 bits\nrz(0x1.0000000000000p-1) 1 -> \ncz() 1,0 -> \nmeasure() 1 -> 0' | sha256sum
    assert native_digest(circuit) == (
        "3cda9f5e4aeed56b8025be9c2302ec572936f3e2b0a9f2d2f565296a999f5708"
    )


def changed(change):
    circuit = native()
    last = circuit.data.pop()
    change(circuit)
    circuit.data.append(last)
    return circuit


@pytest.mark.parametrize(
    "other",
    [
        native(nextafter(0.3, pi)),
        changed(lambda circuit: circuit.x(2)),
        changed(lambda circuit: circuit.x(3)),
        changed(lambda circuit: circuit.data.pop(0)),
        changed(lambda circuit: circuit.data.insert(0, circuit.data.pop(2))),
        changed(lambda circuit: circuit.barrier(0, 3)),
        changed(lambda circuit: circuit.delay(9, 0, unit="ns")),
    ],
    ids=["angle", "gate", "same gate again", "gate less", "order on a qubit", "barrier", "delay"],
)
def test_whatever_a_machine_would_notice_matters(other):
    assert native_digest(other) != native_digest(native())


def test_where_qubits_are_read_into_matters():
    straight, crossed = QuantumCircuit(2, 2), QuantumCircuit(2, 2)
    straight.measure([0, 1], [0, 1])
    crossed.measure([0, 1], [1, 0])
    assert native_digest(straight) != native_digest(crossed)


def test_delays_have_units():
    short, long = QuantumCircuit(1), QuantumCircuit(1)
    short.delay(9, 0, unit="ns")
    long.delay(9, 0, unit="us")
    assert native_digest(short) != native_digest(long)
