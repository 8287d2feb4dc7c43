"""Operators of trick-taking games: specifications, methods and costs."""

import io
from itertools import islice

import pytest
from qiskit import QuantumCircuit, qasm3, qpy, transpile
from qiskit.circuit import Gate

from compiler.synthesis.method import counted_cost, operators, predictions
from compiler.verification.operators import (
    MAX_GATES,
    verify_methods,
    verify_operator,
    verify_specification,
)
from compiler.verification.simulation.exact import simulate
from games.trick_taking.operators.card_play import CardPlay
from games.trick_taking.operators.ranks import RankTrick
from games.trick_taking.operators.trick_taking import TrickTaking
from games.trick_taking.operators.uniform_deal import UniformDeal


def positive(cost):
    return {kind: number for kind, number in cost.items() if number}


def test_every_definition_and_method_meets_the_specification(operator):
    """A deal declares depth 1, because the papers count it as one gate."""
    definition = operator.definition
    assert positive(operator.declared_cost) == positive(counted_cost(definition))
    is_deal = isinstance(operator, UniformDeal)
    assert operator.declared_depth == (1 if is_deal else definition.depth())
    legal = list(islice(operator.legal_inputs(), 2001))
    assert verify_operator(operator) == len(legal) <= 2000
    assert verify_specification(operator) == len(legal)
    tried = verify_methods(operator, legal[::7])
    assert tried.keys() >= {"literal"}
    assert set(tried.values()) == {len(legal[::7])}


MAX_QUBITS = 20
MAX_WORK = 3000
"""Inputs, times two-qubit gates of the cheapest method, up to which an example is tried."""


def small_examples(kind):
    """Return the examples that can be gone through, with the number of their legal inputs."""
    found = []
    for operator in kind.example_operators().values():
        if operator.num_qubits <= MAX_QUBITS:
            price = max(1, min(predictions(operator).values()))
            legal = sum(1 for _ in islice(operator.legal_inputs(), MAX_WORK))
            if legal * price <= MAX_WORK:
                found.append((operator, legal))
    return found


@pytest.mark.parametrize("name", sorted(operators))
def test_every_method_does_what_the_operator_specifies(name):
    found = small_examples(operators[name])
    assert found, f"{name} has no example that can be gone through"
    for operator, legal in found:
        built = {m for m, price in predictions(operator).items() if price <= MAX_GATES}
        assert verify_methods(operator) == dict.fromkeys(built, legal)


BASIS = ["cx", "rz", "sx", "x"]


def through_qpy(circuit):
    file = io.BytesIO()
    qpy.dump(circuit, file)
    file.seek(0)
    return qpy.load(file)[0]


def from_basis_state(gate, basis_state):
    """Return a circuit that applies `gate` to a basis state."""
    circuit = QuantumCircuit(gate.num_qubits)
    for qubit in range(gate.num_qubits):
        if basis_state >> qubit & 1:
            circuit.x(qubit)
    circuit.append(gate, range(gate.num_qubits))
    return circuit


def assert_state(state, expected):
    """Check the probabilities of all basis states."""
    got = {k: abs(a) ** 2 for k, a in state.by_basis_state().items()}
    assert got == pytest.approx({key: float(p) for key, p in expected.items()}, abs=1e-9)


def test_qpy_gives_a_plain_gate_that_transpile_lowers(small_operator):
    circuit = QuantumCircuit(small_operator.num_qubits)
    circuit.append(small_operator, range(small_operator.num_qubits))
    gate = through_qpy(circuit).data[0].operation
    assert type(gate) is Gate
    assert gate.name == small_operator.name
    assert [float(p) for p in gate.params] == [float(p) for p in small_operator.params]
    for basis_state in islice(small_operator.legal_inputs(), 0, None, 29):
        lowered = transpile(from_basis_state(gate, basis_state), basis_gates=BASIS)
        assert set(lowered.count_ops()) <= set(BASIS)
        assert_state(simulate(lowered), small_operator.action(basis_state))


def test_openqasm_3_of_an_operator_is_its_definition(small_operator):
    basis_state = next(iter(small_operator.legal_inputs()))
    text = qasm3.dumps(from_basis_state(small_operator, basis_state))
    assert text.startswith("OPENQASM 3")
    assert f"gate {small_operator.name}(" in text
    assert_state(simulate(qasm3.loads(text)), small_operator.action(basis_state))


def test_operators_have_no_matrix(small_operator):
    with pytest.raises(TypeError, match=rf"{small_operator.name} on \d+ qubits has no matrix"):
        small_operator.to_matrix()


def test_the_last_trick_starts_where_the_first_one_ends():
    first = [
        output for state in RankTrick(0).legal_inputs() for output in RankTrick(0).action(state)
    ]
    assert sorted(first) == sorted(RankTrick(1).legal_inputs())


def card_play_is_legal(state, cards, hand, seat, owner_bits, opening, work):
    """Read the contract off a basis state: k cards in the hand, none on the table, clean work."""
    held = 0
    stack_offset = cards * (owner_bits + 1)
    if state >> (stack_offset + (0 if opening else cards)) & ((1 << work) - 1):
        return False
    for card in range(cards):
        owner = state >> (card * owner_bits) & ((1 << owner_bits) - 1)
        table = state >> (cards * owner_bits + card) & 1
        stack = 0 if opening else state >> (stack_offset + card) & 1
        if stack and not table:
            return False
        if owner == seat and not stack:
            held += 1
            if table:
                return False
    return held == hand


@pytest.mark.parametrize("opening", [True, False])
@pytest.mark.parametrize(
    ("cards", "hand", "seat", "owner_bits"), [(2, 2, 1, 1), (3, 2, 0, 1), (2, 1, 2, 2)]
)
def test_legal_inputs_of_a_card_play_are_all_that_the_contract_allows(
    cards, hand, seat, owner_bits, opening
):
    operator = CardPlay(cards, hand, seat, owner_bits, opening=opening)
    assert set(operator.legal_inputs()) == {
        state
        for state in range(1 << operator.num_qubits)
        if card_play_is_legal(state, cards, hand, seat, owner_bits, opening, operator.ancillas)
    }


def trick_is_legal(state, cards, players):
    """Read the contract off a basis state of a game with one owner bit and two players."""
    fields = [state >> (i * cards) & ((1 << cards) - 1) for i in range(4)]
    played = []
    for card in range(cards):
        owner, table, stack, prior = (field >> card & 1 for field in fields)
        if stack != prior or (stack and not table):
            return False
        if table and not stack:
            played.append(owner)
    return sorted(played) == list(range(players))


@pytest.mark.parametrize("cards", [2, 3])
def test_legal_inputs_of_a_trick_are_all_that_the_contract_allows(cards):
    operator = TrickTaking(cards, 2, 1)
    assert set(operator.legal_inputs()) == {
        state for state in range(1 << operator.num_qubits) if trick_is_legal(state, cards, 2)
    }


@pytest.mark.parametrize(
    ("hands", "known", "deals"),
    [((2, 2, 1), (None,) * 5, 30), ((1, 1, 1, 1), (3, None, None, None), 6)],
)
def test_number_of_deals(hands, known, deals):
    assert len(UniformDeal(hands, known).action(0)) == deals


def lowered(operator):
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.append(operator, range(operator.num_qubits))
    return transpile(
        circuit, basis_gates=["cx", "rz", "sx", "x"], optimization_level=3, seed_transpiler=0
    )
