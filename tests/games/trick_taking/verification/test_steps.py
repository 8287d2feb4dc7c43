"""Programs proven step by step, and the first wrong step named."""

import pytest
from qiskit.circuit.library import XGate, ZGate

from compiler.errors import VerificationError
from compiler.synthesis.operator import Operator
from games import encoded
from games.trick_taking.encodings.paper import verify_steps


def edited(program, place, *replacement):
    """Return a program whose `place`-th operator is replaced by (gate, qubits) pairs."""
    copy = program.copy_empty_like()
    operators = 0
    for item in program.data:
        operators += isinstance(item.operation, Operator)
        if isinstance(item.operation, Operator) and operators == place + 1:
            for gate, qubits in replacement:
                copy.append(gate, qubits)
        else:
            copy.append(item)
    return copy


def operator_at(program, place):
    found = [item for item in program.data if isinstance(item.operation, Operator)][place]
    return found.operation, found.qubits


def qubit(program, register, index):
    return next(r for r in program.qregs if r.name == register)[index]


def test_figures_of_the_vectors(program_vector, game_of):
    game = game_of(program_vector)
    steps = list(verify_steps(game, encoded(game, "paper").circuit))
    assert tuple(step.states for step in steps) == program_vector.counts
    assert [step.title for step in steps] == [step.title for step in game.steps()]


MISTAKES = {
    "deal": (0, "owner", 0, "deal"),
    "play": (1, "table", 2, "A plays 1 of 2"),
    "second play": (2, "table", 2, "B plays 1 of 2"),
    "trick": (3, "owner", 3, "trick 1"),
    "stack without table": (3, "table", 0, "trick 1"),
    "last play": (5, "owner", 0, "B plays 1 of 1"),
    "last trick": (6, "owner", 1, "trick 2"),
}


@pytest.mark.parametrize(("place", "register", "index", "title"), MISTAKES.values(), ids=MISTAKES)
def test_the_first_wrong_step_is_named(toy, place, register, index, title):
    """A qubit that the step decides is flipped in the definition of its operator."""
    program = encoded(toy, "paper").circuit
    gate, qubits = operator_at(program, place)
    wrong = gate.definition.copy()
    wrong.x(qubits.index(qubit(program, register, index)))
    gate.definition = wrong
    steps = verify_steps(toy, edited(program, place, (gate, qubits)))
    proven = [next(steps).title for _ in range(place)]
    assert proven == [step.title for step in toy.steps()[:place]]
    with pytest.raises(VerificationError, match=rf"after '{title}' position .* has probability"):
        next(steps)


def test_phases_of_positions_do_not_matter(toy):
    program = encoded(toy, "paper").circuit
    gate, qubits = operator_at(program, 0)
    phased = edited(program, 0, (gate, qubits), (ZGate(), [qubit(program, "owner", 1)]))
    assert len(list(verify_steps(toy, phased))) == 7
    flipped = edited(program, 0, (XGate(), [qubit(program, "owner", 1)]), (gate, qubits))
    with pytest.raises(VerificationError, match="after 'deal' position"):
        list(verify_steps(toy, flipped))
