"""What circuits ask of machines, and which backends say that they do it."""

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr

from backends import backend_from_spec, check_runnable
from compiler.dynamic.needs import Need, measures, needs_of
from compiler.errors import InputError


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
    switched: ON_THE_WAY | {Need.SWITCH, Need.SEVERAL_BITS},
    on_one_bit: ON_THE_WAY | {Need.SWITCH},
    entangled: ON_THE_WAY | {Need.IF, Need.ENTANGLED_WITHIN},
    twice: ON_THE_WAY | {Need.IF, Need.RESET, Need.SEVERAL_SOURCES},
    nested: ON_THE_WAY
    | {
        Need.IF,
        Need.NESTED,
        Need.MEASUREMENT_WITHIN,
        Need.RESET_WITHIN,
        Need.SEVERAL_SOURCES,
    },
}


@pytest.mark.parametrize("build", NEEDS)
def test_circuits_say_what_they_need(build):
    assert needs_of(build()) == NEEDS[build]


REFUSED = {
    "sparse": set(),
    "aer": {added},
    "aer:torino": {added},
    "aer:torino:thermal": set(NEEDS) - {measured_on_the_way, reset},
    "ibm:torino": {added, nested},
    "ibm-fake:torino": {added, nested},
    "braket-local": set(),
    "braket:garnet": {compared, added, switched, entangled, twice, nested},
    "braket:emerald": set(NEEDS) - {reset},
    "braket:sv1": set(NEEDS),
}


@pytest.mark.parametrize("spec", REFUSED)
def test_backends_refuse_what_they_cannot_do(spec):
    for build, needs in NEEDS.items():
        if build in REFUSED[spec]:
            with pytest.raises(InputError, match=f"^asked: backend '{spec}' does not run "):
                check_runnable(spec, build())
        else:
            check_runnable(spec, build())
        assert (build in REFUSED[spec]) == bool(needs - backend_from_spec(spec).supports())


def test_a_refusal_says_what_is_lacking_and_who_does_it():
    with pytest.raises(InputError) as refused:
        check_runnable("ibm:torino", nested())
    assert str(refused.value) == (
        "asked: backend 'ibm:torino' does not run branches within branches and measurements "
        "within branches and resets within branches; try aer, braket-local, sparse"
    )


def test_what_is_measured_in_a_branch_only_is_measured():
    circuit = QuantumCircuit(1, 1)
    assert not measures(circuit)
    with circuit.if_test((circuit.clbits[0], 0)):
        circuit.measure(0, 0)
    assert measures(circuit)
