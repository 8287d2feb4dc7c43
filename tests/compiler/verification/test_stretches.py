"""Where a program's qubits are at barriers that cross only those of one operator."""

import pytest

from compiler.errors import StateTooLargeError
from compiler.verification.operator_proofs.stretches import parts_of
from compiler.verification.simulation.gate_steps import Step


def places_at_barrier(operands, barrier, before):
    """Return where the qubits are between two parts, the second of which moves none."""
    steps = [Step("cz", (0, 1)), Step("barrier", tuple(barrier)), Step("cz", (0, 1))]
    _, places = parts_of(steps, operands, (before, before))
    assert len(places) == 3
    return places[1]


def test_operands_are_where_the_barrier_has_them():
    assert places_at_barrier([0, 2], [2, 0], [0, 1, 2, 3]) == [2, 1, 0, 3]


def test_whoever_was_on_the_hub_takes_the_seat_that_an_operand_left():
    """Qubit 3 was on the hub, place 0, which operand 1 now has."""
    assert places_at_barrier([1, 2], [0, 2], [1, 3, 2, 0]) == [1, 0, 2, 3]


def test_two_that_had_to_leave_may_be_anywhere():
    with pytest.raises(StateTooLargeError, match="do not say where all qubits are"):
        places_at_barrier([0, 1], [2, 3], [0, 1, 2, 3])


def test_one_that_had_to_leave_may_be_on_either_of_two_seats():
    with pytest.raises(StateTooLargeError, match="do not say where all qubits are"):
        places_at_barrier([0, 1], [2, 5], [0, 1, 2, 3])
