"""Operators' circuits against their specifications, and what the check refuses."""

import pytest
from qiskit import QuantumCircuit

from compiler.errors import VerificationError
from compiler.verification.operators import verify_operator
from games.trick_taking.operators.card_play import CardPlay
from games.trick_taking.operators.trick_taking import TrickTaking
from games.trick_taking.operators.uniform_deal import UniformDeal
from tests.compiler.many_inputs import without_gate

BROKEN = {
    "play 1 of 1": lambda: CardPlay(3, 1, 1, 1),
    "play 1 of 2": lambda: CardPlay(3, 2, 0, 1, opening=True),
    "later play 1 of 2": lambda: CardPlay(3, 2, 1, 1),
    "play 1 of 3": lambda: CardPlay(4, 3, 2, 2, opening=True),
    "trick of two": lambda: TrickTaking(3, 2, 1),
    "trick of three": lambda: TrickTaking(3, 3, 2),
    "deal": lambda: UniformDeal((2, 2, 1), (None,) * 5),
}


@pytest.fixture(params=BROKEN.values(), ids=BROKEN)
def operator(request):
    return request.param()


def assert_refused(operator, circuit):
    with pytest.raises(VerificationError, match=rf"{operator.name}\(.*\): input 0x[0-9a-f]+ gives"):
        verify_operator(operator, circuit)


def test_every_gate_of_a_definition_is_needed(operator):
    definition = operator.definition
    assert verify_operator(operator, definition) > 0
    for place in range(len(definition.data)):
        assert_refused(operator, without_gate(definition, place))


def test_the_papers_card_play_is_refused():
    """Equation 9 with k = 2 puts no card or two cards on the table; an X puts it right."""
    operator = CardPlay(2, 2, 0, 1, opening=True)
    table = 2
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.h(table)
    circuit.cx(table, table + 1)
    assert_refused(operator, circuit)
    circuit.x(table + 1)
    assert verify_operator(operator, circuit) == 1


def test_a_wrong_relative_phase_is_refused():
    operator = CardPlay(3, 2, 0, 1, opening=True)
    operator.exact_phases = True
    circuit = operator.definition.copy()
    circuit.z(3)
    assert_refused(operator, circuit)


def test_a_phase_that_depends_on_the_input_is_refused():
    operator = TrickTaking(3, 2, 1)
    operator.exact_phases = True
    circuit = operator.definition.copy()
    circuit.t(3)
    assert_refused(operator, circuit)


def test_a_dirty_ancilla_is_refused():
    operator = CardPlay(3, 2, 0, 1, opening=True)
    circuit = operator.definition.copy()
    circuit.cx(0, operator.num_qubits - 1)
    assert_refused(operator, circuit)


def test_one_phase_common_to_all_inputs_is_accepted():
    operator = TrickTaking(3, 2, 1)
    operator.exact_phases = True
    circuit = operator.definition.copy()
    circuit.rz(0.4, 0)
    assert_refused(operator, circuit)
    circuit.p(-0.4, 0)
    circuit.global_phase = 1.1
    assert verify_operator(operator, circuit) == 24


def test_anything_may_happen_to_illegal_inputs():
    """Two cards on the table that belong to one seat are no legal input of a trick."""
    operator = TrickTaking(2, 2, 1)
    circuit = operator.definition.copy_empty_like()
    circuit.ccx(0, 1, 2)
    circuit.compose(operator.definition, inplace=True)
    assert verify_operator(operator, circuit) == 2
    circuit.cx(0, 2)
    assert_refused(operator, circuit)


def test_only_the_given_inputs_are_tried():
    operator = TrickTaking(3, 2, 1)
    first = next(iter(operator.legal_inputs()))
    assert verify_operator(operator, inputs=[first]) == 1
