"""Programs against the rules."""

from fractions import Fraction

import pytest
from qiskit import ClassicalRegister, QuantumCircuit

from compiler.errors import VerificationError
from compiler.measurement import final_measurements
from compiler.program import Program
from compiler.verification.program import (
    first_wrong,
    outcome_distribution,
    program_state,
    verify_program,
)
from games import encoded
from games.encoding import GameJudge


def verify(game, program):
    verify_program(Program(program, GameJudge(game, "paper"), "paper"), program_state(program))


def test_programs_of_the_vectors_are_right(vector, game_of):
    game = game_of(vector)
    program = encoded(game, "paper").circuit
    verify(game, program)
    distribution = outcome_distribution(program, program_state(program))
    assert len(distribution) == vector.counts[-1]
    assert sum(p for o, p in distribution.items() if game.is_win(o)) == pytest.approx(
        float(vector.p_win), abs=1e-9
    )


def test_a_program_of_another_game_is_wrong(toy, make_game):
    other = make_game(2, 2, "CA C10 CK CQ", known={"0": ["CA"]})
    verify(other, encoded(other, "paper").circuit)
    with pytest.raises(VerificationError, match=r"outcome 0b0 has probability 0\.5, not 1/4"):
        verify(toy, encoded(other, "paper").circuit)


def test_every_operator_of_the_toy_matters(toy):
    program = encoded(toy, "paper").circuit
    places = [i for i, item in enumerate(program.data) if item.operation.name != "measure"]
    copies_of_stacks = [i for i in places if program.data[i].operation.name == "cx"]
    assert len(copies_of_stacks) == 4
    for place in set(places) - set(copies_of_stacks):
        broken = program.copy()
        del broken.data[place]
        message = r"(outcome 0b[01]+ has|measured bits 0b[01]+ are illegal and have) probability"
        with pytest.raises(VerificationError, match=message):
            verify(toy, broken)


def test_swapped_measurements_are_found_where_the_game_is_not_symmetric(make_game):
    game = make_game(2, 2, "CA C10 CK CQ", known={"0": ["CA"]})
    program, _ = final_measurements(encoded(game, "paper").circuit)
    program.add_register(ClassicalRegister(4, "owner"))
    program.measure([3, 1, 2, 0], range(4))
    with pytest.raises(VerificationError, match=r"outcome|illegal"):
        verify(game, program)


def test_outcomes_that_are_wrong_by_little_each_may_be_wrong_together():
    """Each of 4,096 outcomes is wrong by less than 1e-9, all roots together by 5e-7."""
    wanted = dict.fromkeys(range(1 << 12), 1 / (1 << 12))
    found = {outcome: p * (1 + 1e-6 * (-1) ** outcome) for outcome, p in wanted.items()}
    assert max(abs(found[outcome] - wanted[outcome]) for outcome in wanted) < 1e-9
    assert first_wrong(found, wanted) is not None
    assert first_wrong({**wanted, 7: wanted[7] + 5e-11}, wanted) is None


def test_illegal_outcomes_that_are_rare_each_may_add_up():
    """A throw of a die of eight sides that fails with 2.5e-9, which each side has a part of."""

    class Die:
        branches = 8

        def exact_distribution(self):
            return dict.fromkeys(range(8), Fraction(1, 8))

        def outcome(self, bits):
            return None if bits & 8 else bits

    circuit = QuantumCircuit(4, 4)
    circuit.h([0, 1, 2])
    circuit.rx(1e-4, 3)
    circuit.measure(range(4), range(4))
    with pytest.raises(VerificationError, match=r"bits 0b1000 are illegal .* 3\.125e-10"):
        verify_program(Program(circuit, Die()), program_state(circuit))


def test_impossible_outcomes_are_wrong_too(make_game):
    """One in 10⁸ outcomes has another owner."""
    game = make_game(2, 1, "CA CK")
    program, _ = final_measurements(encoded(game, "paper").circuit)
    assert game.exact_distribution() == {0b00: Fraction(1, 2), 0b11: Fraction(1, 2)}
    program.rx(2e-4, 0)
    program.add_register(ClassicalRegister(2, "owner"))
    program.measure([0, 1], [0, 1])
    message = r"measured bits 0b1 are illegal and have probability 5e-09"
    with pytest.raises(VerificationError, match=message):
        verify(game, program)


@pytest.mark.parametrize(
    ("reads", "distribution"),
    [
        ({0: 0, 1: 1, 2: 2}, {0b011: 0.75, 0b001: 0.25}),
        ({0: 2, 1: 1, 2: 0}, {0b110: 0.75, 0b100: 0.25}),
        ({1: 1}, {0b10: 0.75, 0b00: 0.25}),
        ({2: 0, 0: 1}, {0b101: 0.75, 0b100: 0.25}),
    ],
)
def test_classical_bits_are_read_from_the_qubits_they_measure(reads, distribution):
    circuit = QuantumCircuit(3, 3)
    circuit.x(0)
    circuit.ry(2.0943951023931953, 1)
    state = program_state(circuit)
    for clbit, qubit in reads.items():
        circuit.measure(qubit, clbit)
    assert outcome_distribution(circuit, state) == pytest.approx(distribution)


def test_the_state_of_a_program_that_measures_on_the_way_keeps_what_it_found():
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.h(0)
    assert len(program_state(circuit).amplitudes) == 4
