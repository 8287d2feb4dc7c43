"""Proofs of programs, and of qubits that are used again."""

from fractions import Fraction

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import RYGate

from compiler.errors import VerificationError
from compiler.program import Program
from compiler.verification.program import (
    first_wrong,
    outcome_distribution,
    program_state,
    verify_program,
)
from compiler.verification.reuse import verify_reuse
from games import encoded
from games.encoding import GameJudge
from tests.compiler.test_reuse import ghz, qaoa_ring


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
