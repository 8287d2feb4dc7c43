"""Deferred measurements against density matrices."""

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr
from qiskit.circuit.classical import types as kinds

from compiler.dynamic.pieces import final_part, is_dynamic, is_unitary
from compiler.errors import StateTooLargeError
from compiler.verification.program import outcome_distribution, program_state
from tests.compiler.dynamic.circuits import distribution, random_dynamic, teleported


def found(circuit: QuantumCircuit) -> dict[int, float]:
    return outcome_distribution(circuit, program_state(circuit))


@pytest.mark.parametrize(
    "seed", [*range(12), *(pytest.param(n, marks=pytest.mark.full) for n in range(12, 40))]
)
def test_random_circuits_measure_what_density_matrices_say(seed):
    circuit = random_dynamic(seed)
    assert found(circuit) == pytest.approx(distribution(circuit), abs=1e-9)


def test_a_state_is_teleported():
    angle = 0.3
    circuit = teleported()
    ones = sum(p for bits, p in found(circuit).items() if bits >> 2 & 1)
    assert ones == pytest.approx(np.sin(angle / 2) ** 2)


def test_what_is_measured_last_is_split_off():
    circuit = QuantumCircuit(2, 3)
    circuit.h(0)
    circuit.measure(0, 2)
    circuit.cx(0, 1)
    circuit.measure(0, 0)
    circuit.measure(1, 1)
    rest, measured = final_part(circuit)
    assert measured == {0: 0, 1: 1}
    assert [item.operation.name for item in rest.data] == ["h", "measure", "cx"]
    assert is_dynamic(circuit)
    assert not is_unitary(rest)


def test_a_bit_that_is_written_twice_holds_the_last_value():
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.x(1)
    circuit.measure(1, 0)
    assert found(circuit) == pytest.approx({1: 1.0})


CONDITIONS = {
    "less": (lambda r, s: expr.less(r, 2), lambda r, s: r < 2),
    "sum": (lambda r, s: expr.equal(expr.add(r, s), 1), lambda r, s: (r + s) % 4 == 1),
    "bits": (
        lambda r, s: expr.logic_or(expr.logic_not(r[0]), s[1]),
        lambda r, s: not r & 1 or s & 2,
    ),
    "xor": (lambda r, s: expr.equal(expr.bit_xor(r, s), 2), lambda r, s: r ^ s == 2),
    "not": (lambda r, s: expr.equal(expr.bit_not(r), 1), lambda r, s: r == 2),
    "shift": (lambda r, s: expr.equal(expr.shift_left(r, 1), 2), lambda r, s: r & 1),
    "index": (lambda r, s: expr.index(r, 1), lambda r, s: r & 2),
    "number": (lambda r, s: expr.cast(s, kinds.Bool()), lambda r, s: s),
    "register": (lambda r, s: (r, 3), lambda r, s: r == 3),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_hold_where_they_should(name):
    condition, holds = CONDITIONS[name]
    r, s = ClassicalRegister(2, "r"), ClassicalRegister(2, "s")
    for values in range(16):
        circuit = QuantumCircuit(QuantumRegister(5, "q"), r, s, ClassicalRegister(1, "t"))
        for place in range(4):
            if values >> place & 1:
                circuit.x(place)
        circuit.measure(range(4), range(4))
        with circuit.if_test(condition(r, s)):
            circuit.x(4)
        circuit.measure(4, 4)
        wanted = values | (16 if holds(values & 3, values >> 2) else 0)
        assert found(circuit) == pytest.approx({wanted: 1.0})


def test_what_is_neither_gate_nor_measurement_is_named():
    circuit = QuantumCircuit(1, 1)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.h(0)
        circuit.measure(0, 0)
    with pytest.raises(StateTooLargeError, match="'while_loop' is neither a gate nor a"):
        program_state(circuit)
