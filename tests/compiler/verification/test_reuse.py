"""Narrowed circuits that do something else are refused, whatever is wrong with them."""

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import RYGate

from compiler.errors import VerificationError
from compiler.program import Program
from compiler.verification.reuse import verify_reuse
from tests.compiler.reuse.circuits import ghz, qaoa_ring, random_sparse


def narrow(circuit):
    program = Program(circuit).reusing()
    assert program.reuse.chains
    verify_reuse(circuit, program.circuit, program.reuse.chains)
    return program.circuit, program.reuse.chains


def rebuilt(circuit, items):
    made = circuit.copy_empty_like()
    for item in items:
        made.append(item)
    return made


def refused(original, changed, chains):
    with pytest.raises(VerificationError) as error:
        verify_reuse(original, changed, chains)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("original", [ghz(5), qaoa_ring(6)], ids=lambda circuit: circuit.name)
def test_every_single_change_is_noticed(original):
    """Each thing is left out, done twice, or done to another qubit."""
    circuit, chains = narrow(original)
    items = list(circuit.data)
    for place, item in enumerate(items):
        refused(original, rebuilt(circuit, items[:place] + items[place + 1 :]), chains)
        if item.operation.name != "reset":
            refused(original, rebuilt(circuit, [*items[: place + 1], *items[place:]]), chains)
        moved = [circuit.qubits[(circuit.find_bit(q).index + 1) % len(chains)] for q in item.qubits]
        changed = [*items[:place], item.replace(qubits=moved), *items[place + 1 :]]
        refused(original, rebuilt(circuit, changed), chains)


def test_chains_that_name_other_wires_are_noticed():
    original = ghz(5)
    circuit, chains = narrow(original)
    first, *others = chains
    refused(original, circuit, ((first[1], first[0], *first[2:]), *others))
    refused(original, circuit, (first[:-1], *others))


def test_swapped_results_are_noticed():
    original = ghz(5)
    circuit, chains = narrow(original)
    bits = circuit.clbits
    other = {bits[0]: bits[1], bits[1]: bits[0]}
    items = [
        item.replace(clbits=[other.get(bit, bit) for bit in item.clbits]) for item in circuit.data
    ]
    refused(original, rebuilt(circuit, items), chains)


def test_another_angle_is_noticed():
    original = QuantumCircuit(3, 3)
    original.ry(0.3, [0, 1, 2])
    original.measure([0, 1, 2], [0, 1, 2])
    circuit, chains = narrow(original)
    items = list(circuit.data)
    place = next(i for i, item in enumerate(items) if item.operation.name == "ry")
    items[place] = items[place].replace(operation=RYGate(0.31))
    refused(original, rebuilt(circuit, items), chains)


def test_another_condition_is_noticed():
    def conditional(value):
        circuit = QuantumCircuit(4, 4)
        circuit.h(0)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], value)):
            circuit.x(1)
        circuit.cx(1, 2)
        circuit.cx(2, 3)
        circuit.measure([1, 2, 3], [1, 2, 3])
        return circuit

    original, other = conditional(1), conditional(0)
    circuit, chains = narrow(original)
    swap = next(i.operation for i in other.data if i.operation.name == "if_else")
    items = [
        item.replace(operation=_as_in(item.operation, swap))
        if item.operation.name == "if_else"
        else item
        for item in circuit.data
    ]
    refused(original, rebuilt(circuit, items), chains)


def _as_in(operation, other):
    made = operation.copy()
    made.condition = (operation.condition[0], other.condition[1])
    return made


def test_what_commutes_may_change_places_and_nothing_else():
    original = QuantumCircuit(3, 3)
    original.rzz(0.3, 0, 1)
    original.cx(1, 2)
    original.rx(0.4, 1)
    original.measure([0, 1, 2], [0, 1, 2])
    chains = ((0,), (1,), (2,))
    items = list(original.data)
    verify_reuse(original, rebuilt(original, [items[1], items[0], *items[2:]]), chains)
    refused(original, rebuilt(original, [items[0], items[2], items[1], *items[3:]]), chains)


@pytest.mark.parametrize("seed", range(12))
def test_random_changes_of_order_are_noticed_where_the_distribution_changes(seed):
    """A gate is brought across its successor on a shared qubit; only what commutes may pass."""
    original = random_sparse(seed, gates=12)
    program = Program(original).reusing()
    if not program.reuse.chains:
        return
    circuit, items = program.circuit, list(program.circuit.data)
    for place in range(len(items) - 1):
        a, b = items[place], items[place + 1]
        names = {a.operation.name, b.operation.name}
        if names == {"measure"}:
            continue
        if set(a.qubits) & set(b.qubits) and names & {"measure", "u", "if_else"}:
            changed = [*items[:place], b, a, *items[place + 2 :]]
            refused(original, rebuilt(circuit, changed), program.reuse.chains)
