"""Needs of dynamic circuits, and measurements that are deferred."""

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr

from backends import backend_from_spec, check_runnable
from compiler.dynamic.needs import Need, needs_of
from compiler.dynamic.pieces import final_part, is_dynamic, is_unitary
from compiler.errors import InputError, StateTooLargeError
from compiler.verification.program import outcome_distribution, program_state
from tests.compiler.dynamic.circuits import random_dynamic
from tests.independent import distribution


def started() -> QuantumCircuit:
    circuit = QuantumCircuit(QuantumRegister(2, "q"), ClassicalRegister(2, "c"), name="asked")
    circuit.h(0)
    return circuit


def measured_on_the_way() -> QuantumCircuit:
    circuit = started()
    circuit.measure(0, 0)
    circuit.x(0)
    return circuit


def reset() -> QuantumCircuit:
    circuit = started()
    circuit.reset(0)
    circuit.measure(0, 0)
    return circuit


def branched(condition: object = None) -> QuantumCircuit:
    circuit = measured_on_the_way()
    with circuit.if_test(condition or (circuit.clbits[0], 1)):
        circuit.x(1)
    return circuit


def compared() -> QuantumCircuit:
    return branched(expr.less(started().cregs[0], 2))


def added() -> QuantumCircuit:
    register = started().cregs[0]
    return branched(expr.equal(expr.add(register, register), 2))


def truthful() -> QuantumCircuit:
    return branched(expr.logic_not(started().cregs[0]))


def picked() -> QuantumCircuit:
    register = started().cregs[0]
    return branched(expr.logic_not(expr.index(register, register)))


def picked_by_a_sum() -> QuantumCircuit:
    register = started().cregs[0]
    return branched(expr.index(register, expr.add(register, 1)))


def switched() -> QuantumCircuit:
    circuit = measured_on_the_way()
    with circuit.switch(circuit.cregs[0]) as case, case(1):
        circuit.x(1)
    return circuit


def on_one_bit() -> QuantumCircuit:
    circuit = measured_on_the_way()
    with circuit.switch(circuit.clbits[0]) as case, case(0):
        circuit.x(1)
    return circuit


def entangled() -> QuantumCircuit:
    circuit = measured_on_the_way()
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.cx(0, 1)
    return circuit


def twice() -> QuantumCircuit:
    """Return a qubit that is turned by what was measured on another one, and on itself."""
    circuit = branched()
    circuit.reset(1)
    circuit.measure(1, 1)
    return circuit


def nested() -> QuantumCircuit:
    circuit = measured_on_the_way()
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.measure(1, 1)
        circuit.reset(1)
        with circuit.if_test((circuit.clbits[1], 1)):
            circuit.x(1)
    return circuit


ON_THE_WAY = {Need.MEASUREMENT}
NEEDS = {
    measured_on_the_way: ON_THE_WAY,
    reset: {Need.RESET},
    branched: ON_THE_WAY | {Need.IF},
    compared: ON_THE_WAY | {Need.IF, Need.EXPRESSION, Need.SEVERAL_BITS},
    added: ON_THE_WAY | {Need.IF, Need.EXPRESSION, Need.ARITHMETIC, Need.SEVERAL_BITS},
    truthful: ON_THE_WAY | {Need.IF, Need.EXPRESSION, Need.TRUTH, Need.SEVERAL_BITS},
    picked: ON_THE_WAY | {Need.IF, Need.EXPRESSION, Need.INDEX, Need.SEVERAL_BITS},
    picked_by_a_sum: ON_THE_WAY
    | {Need.IF, Need.EXPRESSION, Need.INDEX, Need.ARITHMETIC, Need.SEVERAL_BITS},
    switched: ON_THE_WAY | {Need.SWITCH, Need.SEVERAL_BITS},
    on_one_bit: ON_THE_WAY | {Need.SWITCH},
    entangled: ON_THE_WAY | {Need.IF, Need.ENTANGLED_WITHIN},
    twice: ON_THE_WAY | {Need.IF, Need.RESET, Need.SEVERAL_SOURCES},
    nested: ON_THE_WAY
    | {Need.IF, Need.NESTED, Need.MEASUREMENT_WITHIN, Need.RESET_WITHIN, Need.SEVERAL_SOURCES},
}


@pytest.mark.parametrize("build", NEEDS)
def test_circuits_say_what_they_need(build):
    assert needs_of(build()) == NEEDS[build]


COMPUTED = (truthful, picked, picked_by_a_sum)
REFUSED = {
    "sparse": set(),
    "aer": {added, *COMPUTED},
    "aer:torino": {added, *COMPUTED},
    "aer:torino:thermal": set(NEEDS) - {measured_on_the_way, reset},
    "ibm:torino": {added, nested, *COMPUTED},
    "ibm-fake:torino": {added, nested, *COMPUTED},
    "braket-local": set(),
    "braket:garnet": {compared, added, *COMPUTED, switched, entangled, twice, nested},
    "braket:emerald": set(NEEDS) - {reset},
    "braket:sv1": set(NEEDS),
}


@pytest.mark.parametrize("spec", REFUSED)
def test_backends_refuse_what_they_cannot_do(spec):
    for build, needs in NEEDS.items():
        if build in REFUSED[spec]:
            with pytest.raises(InputError, match=f"^asked: backend '{spec}' does not support "):
                check_runnable(spec, build())
        else:
            check_runnable(spec, build())
        assert (build in REFUSED[spec]) == bool(needs - backend_from_spec(spec).supports())


def found(circuit: QuantumCircuit) -> dict[int, float]:
    return outcome_distribution(circuit, program_state(circuit))


@pytest.mark.parametrize("seed", range(6))
def test_random_circuits_measure_what_density_matrices_say(seed):
    circuit = random_dynamic(seed)
    assert found(circuit) == pytest.approx(distribution(circuit), abs=1e-9)


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


def test_what_is_neither_gate_nor_measurement_is_named():
    circuit = QuantumCircuit(1, 1)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.h(0)
        circuit.measure(0, 0)
    with pytest.raises(StateTooLargeError, match="'while_loop' is neither a gate nor a"):
        program_state(circuit)
