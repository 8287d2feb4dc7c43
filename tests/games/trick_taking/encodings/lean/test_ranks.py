"""The toy in the leanest encoding: its decoded outcomes, its branches, its cost."""

from fractions import Fraction

import numpy as np
import pytest
from qiskit import QuantumCircuit, transpile
from qiskit.circuit.library import StatePreparation

from compiler.synthesis.method import predictions
from compiler.synthesis.operator import Operator
from compiler.verification.program import outcome_distribution, program_state
from games import encoded, encodings
from games.trick_taking.operators import UniformDeal
from games.trick_taking.operators.rank_play import RankPlay
from games.trick_taking.operators.rank_trick import RankTrick
from tests.games.trick_taking.encodings.distributions import assert_same, decoded, measured_bits

LEAN = encodings["lean"]
DECK = "CA C10 CK CQ"


def test_toy_has_24_orthogonal_branches_and_all_of_them_are_measured(toy):
    program = encoded(toy, "lean").circuit
    measured = outcome_distribution(program, program_state(program))
    assert sorted(measured.values()) == pytest.approx([1 / 24] * 24, abs=1e-9)
    assert {register.name: register.size for register in program.cregs} == {
        "dealt": 4,
        "rank": 2,
        "taken": 2,
    }
    assert program.num_qubits == program.num_clbits == 8


@pytest.mark.parametrize(
    ("owners", "rank", "taken", "outcome"),
    [
        # AABB: A takes both tricks whatever is played.
        (0b1100, 0b00, 0b00, "AAAA"),
        (0b1100, 0b11, 0b00, "AAAA"),
        (0b1100, 0b00, 0b01, None),
        # ABAB, high against low first: A takes cards 0 and 3, then B cards 1 and 2.
        (0b1010, 0b10, 0b10, "ABBA"),
        # ABAB, low against high first: B takes cards 1 and 2, then A cards 0 and 3.
        (0b1010, 0b11, 0b01, "ABBA"),
        (0b1010, 0b00, 0b00, "AAAA"),
        (0b1010, 0b11, 0b00, None),
        # BAAB, B plays card 0 against card 1: then A takes cards 2 and 3.
        (0b1001, 0b00, 0b10, "BBAA"),
        (0b1001, 0b10, 0b10, "BABA"),
        # Three cards for B are no deal.
        (0b1011, 0b00, 0b00, None),
        (0b0000, 0b00, 0b00, None),
    ],
)
def test_decoding_of_measured_bits(toy, owners, rank, taken, outcome):
    got = LEAN.outcome(toy, owners | rank << 4 | taken << 6)
    assert (None if got is None else toy.describe(got)) == outcome


def test_a_deal_that_contradicts_the_known_cards_is_illegal(make_game):
    game = make_game(2, 2, DECK, known={"1": ["CA"]})
    assert LEAN.outcome(game, 0b1100) is None
    assert game.describe(LEAN.outcome(game, 0b0011)) == "BBBB"


def test_operators_follow_the_steps_of_the_game(toy):
    operators = [
        item.operation
        for item in encoded(toy, "lean").circuit.data
        if isinstance(item.operation, Operator)
    ]
    assert [type(operator) for operator in operators] == [
        *(UniformDeal, RankPlay, RankPlay, RankTrick),
        *(RankPlay, RankPlay, RankTrick),
    ]
    assert len(operators) == len(toy.steps())
    assert [operator.label for operator in operators if operator.name == "rank_play"] == [
        *("CP2 holder", "CP2 other", "CP1 holder", "CP1 other"),
    ]


def lowered(program):
    return transpile(
        program, basis_gates=["cx", "rz", "sx", "x"], optimization_level=3, seed_transpiler=0
    )


def two_qubit_gates(program):
    return lowered(program).num_nonlocal_gates()


def two_qubit_depth(program):
    return lowered(program).depth(lambda item: len(item.qubits) == 2)


def test_gates_after_the_deal(toy):
    """Nine two-qubit gates, as many as the operators' methods say, at depth nine."""
    program = encoded(toy, "lean").circuit
    gates = [item for item in program.data if isinstance(item.operation, Operator)]
    played = QuantumCircuit(*program.qregs)
    for item in gates[1:]:
        played.append(item)
    predicted = sum(min(predictions(item.operation).values()) for item in gates[1:])
    assert predicted == two_qubit_gates(played) == 9
    assert two_qubit_depth(played) == 9


def five_gate_deal():
    """Return a deal of two cards each from four: (|00⟩ − |10⟩ + 2|01⟩)/√6, copied and mixed."""
    circuit = QuantumCircuit(4)
    circuit.append(StatePreparation(np.array([1, -1, 2, 0]) / np.sqrt(6)), [0, 1])
    circuit.cx([0, 1], [2, 3])
    circuit.h([0, 2])
    circuit.cx([0, 2], [1, 3])
    return circuit


def test_toy_takes_fourteen_gates_with_a_deal_of_five(toy):
    """The lowered circuit is simulated and its measured bits are decoded."""
    program = encoded(toy, "lean").circuit
    whole = program.copy_empty_like()
    for item in program.data:
        if isinstance(item.operation, UniformDeal):
            whole.compose(five_gate_deal(), item.qubits, inplace=True)
        else:
            whole.append(item)
    circuit = lowered(whole)
    assert circuit.num_nonlocal_gates() == 14
    assert two_qubit_depth(whole) == 12
    assert_same(decoded(toy, "lean", measured_bits(circuit)), toy.exact_distribution())


def test_mean_of_taken_tricks(toy):
    """The holder loses a trick in 6 of 24 branches each."""
    program = encoded(toy, "lean").circuit
    state = program_state(program)
    share = (np.abs(state.amplitudes) ** 2) @ state.bits[:, 6:]
    assert share == pytest.approx([float(Fraction(1, 4))] * 2, abs=1e-9)
