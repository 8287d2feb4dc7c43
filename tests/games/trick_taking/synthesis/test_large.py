"""Large operators on random legal inputs, in a simulation that knows nothing but dictionaries."""

from collections import defaultdict
from random import Random

import pytest
from qiskit.transpiler.passes.synthesis.plugin import HighLevelSynthesisPluginManager

from games.trick_taking.operators.card_play import CardPlay
from games.trick_taking.operators.hand_play import HandPlay
from games.trick_taking.operators.trick_taking import TrickTaking


def amplitudes_of(circuit, initial):
    """Apply every gate at once: between gates, these circuits are in few basis states."""
    state = {initial: 1.0}
    for item in circuit.data:
        places = [circuit.find_bit(qubit).index for qubit in item.qubits]
        if item.operation.name == "cx":
            control, target = places
            state = {key ^ (key >> control & 1) << target: a for key, a in state.items()}
        elif item.operation.name == "cz":
            both = 1 << places[0] | 1 << places[1]
            state = {key: -a if key & both == both else a for key, a in state.items()}
        elif item.operation.name == "swap":
            both = 1 << places[0] | 1 << places[1]
            state = {key ^ both * (0 < key & both < both): a for key, a in state.items()}
        else:
            state = one_qubit(state, item.operation.to_matrix(), *places)
    return state


def one_qubit(state, matrix, place):
    new = defaultdict(complex)
    for key, a in state.items():
        bit = key >> place & 1
        for value in (0, 1):
            new[key & ~(1 << place) | value << place] += matrix[value, bit] * a
    return {key: a for key, a in new.items() if abs(a) > 1e-12}


def card_play_input(operator, random):
    """Hand cards of the seat, cards of the others in hands or on the table, and stacks."""
    n, others = operator.cards, [seat for seat in range(3) if seat != operator.seat]
    held = set(random.sample(range(n), operator.hand))
    bits = 0
    for card in range(n):
        owner, table, stack = operator.seat, 0, 0
        if card not in held:
            stack = random.getrandbits(1) and not operator.opening
            owner = random.choice([*others, operator.seat] if stack else others)
            table = stack or random.getrandbits(1)
        bits |= owner << 2 * card | table << (2 * n + card) | stack << (3 * n + card)
    return bits


def trick_input(operator, random):
    """One table card of every seat; the others in hands, or taken by anybody."""
    n, seats = operator.cards, random.sample(range(3), 3)
    trick = dict(zip(random.sample(range(n), 3), seats, strict=True))
    bits = 0
    for card in range(n):
        dealt = trick.get(card, random.randrange(3))
        stack = random.getrandbits(1) if card not in trick else 0
        owner = random.randrange(3) if stack else dealt
        bits |= owner << 2 * card | dealt << (5 * n + 2 * card)
        bits |= (stack or card in trick) << (2 * n + card)
        bits |= stack << (3 * n + card) | stack << (4 * n + card)
    return bits


def any_input(operator, random):
    return operator.random_legal_input(random)


HANDS = [
    HandPlay(cards, hand, leaves=leaves)
    for cards, hand in ((9, 3), (12, 4), (32, 1), (32, 2), (32, 5), (32, 10))
    for leaves in (False, True)
]
CASES = [
    *((operator, any_input, 6 if operator.cards < 32 else 2) for operator in HANDS),
    (TrickTaking(9, 3, 2), trick_input, 100),
    *((CardPlay(9, hand, seat, 2), card_play_input, 20) for hand in (1, 2, 3) for seat in range(3)),
    (CardPlay(9, 3, 1, 2, opening=True), card_play_input, 20),
]


@pytest.mark.parametrize(
    ("operator", "random_input", "inputs"),
    CASES,
    ids=lambda value: (
        f"{value.name}-{'-'.join(map(str, value.params))}" if hasattr(value, "params") else ""
    ),
)
def test_random_legal_inputs(operator, random_input, inputs):
    """By linearity, as no two inputs lead to the same state, superpositions are right as well."""
    random = Random(5)
    circuit = HighLevelSynthesisPluginManager().method(operator.name, "default").run(operator)
    reached = {}
    for basis_state in {random_input(operator, random) for _ in range(inputs)}:
        probabilities = defaultdict(float)
        for state, amplitude in amplitudes_of(circuit, basis_state).items():
            assert reached.setdefault(state, basis_state) == basis_state
            probabilities[operator.canonical(state)] += abs(amplitude) ** 2
        expected = operator.action(basis_state)
        assert probabilities == pytest.approx({key: float(p) for key, p in expected.items()})
