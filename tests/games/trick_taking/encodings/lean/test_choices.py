"""Games of which few qubits are read: the distribution of the rules, and what is left out."""

import pytest

from compiler.compilation.proof import prove_program
from compiler.errors import VerificationError
from compiler.program import Program
from games import encoded, named_game

NAME = "lean"


def test_the_showcase_reads_nine_bits_for_forty_two():
    game = named_game("skat-9")
    terse, whole = encoded(game, NAME), encoded(game, "lists")
    assert (terse.circuit.num_clbits, whole.circuit.num_clbits) == (9, 42)
    # Twelve deals by four bits, and five choices between two cards.
    assert "trick_winner" not in terse.circuit.count_ops()


def test_an_angle_that_is_off_is_noticed():
    program = encoded(named_game("skat-6"), NAME)
    place = next(i for i, item in enumerate(program.circuit.data) if item.operation.name == "ry")
    broken = program.circuit.copy()
    broken.data[place] = broken.data[place].replace(
        operation=type(broken.data[place].operation)(broken.data[place].operation.params[0] + 0.01)
    )
    with pytest.raises(VerificationError):
        prove_program(Program(broken, program.judge, NAME))


def test_a_certain_game_reads_one_qubit(make_game):
    known = {"0": ["CA"], "1": ["C10"], "2": ["CK"]}
    game = make_game(3, 1, "CA C10 CK", rules="skat", contract="grand", known=known)
    program = encoded(game, NAME)
    assert (program.circuit.num_qubits, program.circuit.num_clbits) == (1, 1)
    assert [program.outcome(bits) for bits in (0, 1)] == [*game.exact_distribution(), None]
