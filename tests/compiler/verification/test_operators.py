"""Proofs of operators."""

import pytest
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit.library import RYGate

from compiler.compilation import Options, proof
from compiler.compilation.candidate import lower
from compiler.compilation.plan import Plan
from compiler.errors import StateTooLargeError, VerificationError
from compiler.lowering.draft import Draft, no_clock
from compiler.lowering.methods import lower_operators
from compiler.lowering.pipeline import Attempt
from compiler.lowering.qiskit_level_3 import level_3
from compiler.measurement import final_measurements
from compiler.targets import target_from_spec
from compiler.verification.operator_proofs import played_parts
from compiler.verification.operator_proofs.operator_by_operator import prove_operators
from compiler.verification.operators import verify_operator
from games import encoded, named_game
from games.toml import game_from_toml
from games.trick_taking.operators.card_play import CardPlay
from games.trick_taking.operators.list_deal import SEGMENTED, SortedDeal
from games.trick_taking.operators.trick_taking import TrickTaking
from games.trick_taking.operators.uniform_deal import UniformDeal
from tests.compiler.many_inputs import without_gate
from tests.compiler.verification.test_equivalence import inserted
from tests.games.trick_taking.test_verification import SIX, segmented


@pytest.fixture(scope="module")
def made():
    """Six cards, with operators synthesised, and lowered to a target."""
    program, _ = final_measurements(segmented(encoded(game_from_toml(SIX, "six"), "lists").circuit))
    logical = lower_operators(program, "cheapest")
    native = level_3(logical, target_from_spec(f"star:{program.num_qubits}"), 0)
    return program, logical, native


def proven(made, circuit=None, final_layout=None):
    program, logical, native = made
    return prove_operators(
        program,
        logical,
        evolve(
            native,
            circuit=circuit or native.circuit,
            final_layout=final_layout or native.final_layout,
        ),
        inputs=24,
        corners=24,
    )


def test_every_operator_is_proven_wherever_routing_has_put_its_qubits(made):
    found = proven(made)
    assert (found.operators, found.steps, found.inputs, found.corners) == (7, 0, 48, 24)
    assert found.worst < 1e-10
    assert found.parts == found.matched == 7


def barriers(circuit):
    return [place for place, item in enumerate(circuit.data) if item.name == "barrier"]


def test_an_angle_that_is_wrong_by_a_millionth_is_found(made):
    circuit = made[2].circuit
    place = barriers(circuit)[1]
    qubit = circuit.data[place].qubits[0]
    with pytest.raises(VerificationError, match="as it was lowered, gives amplitudes"):
        proven(made, inserted(circuit, place, RYGate(1e-6), qubit))


def test_a_layout_that_is_wrong_is_found(made):
    layout = list(made[2].final_layout)
    layout[0], layout[7] = layout[7], layout[0]
    with pytest.raises(VerificationError):
        proven(made, final_layout=tuple(layout))


def test_programs_without_barriers_are_left_to_others():
    program = QuantumCircuit(2)
    program.x(0)
    with pytest.raises(StateTooLargeError, match="no barriers"):
        prove_operators(program, program, Draft.of(program))


def test_lost_barriers_are_no_proof(made):
    circuit = made[2].circuit.copy_empty_like()
    for item in made[2].circuit.data:
        if item.name != "barrier":
            circuit.append(item)
    with pytest.raises(StateTooLargeError, match="barriers between its operators are lost"):
        proven(made, circuit)


@pytest.fixture(scope="module")
def large_deal():
    """A deal that is cut into segments, on a lattice."""
    deal = SortedDeal(4, 3, range(SEGMENTED + 1))
    program = QuantumCircuit(deal.num_qubits)
    program.append(deal, program.qubits)
    program.barrier()
    program.x(0)
    program.barrier()
    logical = lower_operators(program, "cheapest")
    native = level_3(logical, target_from_spec(f"heavy-hex:{program.num_qubits}"), 0)
    return program, logical, native


def test_segments_of_a_routed_operator_are_proven_where_they_are(large_deal):
    found = proven(large_deal)
    cards = SEGMENTED + 1
    assert (found.operators, found.steps) == (0, cards + 1)
    assert found.matched == found.parts


def test_a_rare_fault_in_a_routed_segment_is_found_by_its_amplitudes(large_deal):
    circuit = large_deal[2].circuit
    place = barriers(circuit)[SEGMENTED // 2]
    gate = RYGate(1e-6)
    with pytest.raises(VerificationError, match="off by"):
        for qubit in circuit.data[place].qubits:
            proven(large_deal, inserted(circuit, place, gate, qubit))


def test_what_is_too_large_as_it_was_lowered_is_played_as_it_was_synthesised(made, monkeypatch):
    """A limit of one amplitude takes all that was lowered for too large, and nothing else."""
    circuit = made[2].circuit
    place = barriers(circuit)[1]
    faulty = inserted(circuit, place, RYGate(1e-6), circuit.data[place].qubits[0])
    monkeypatch.setattr(played_parts, "LOWERED_LIMIT", 1)
    assert proven(made).matched == 7
    with pytest.raises(StateTooLargeError, match="more than 1 amplitudes"):
        proven(made, faulty)


@pytest.mark.parametrize(("method", "asked"), [("fast", (384, 128)), ("best", (9_000, 1_000))])
def test_a_game_too_large_for_a_state_is_proven_on_10_000_inputs_unless_in_haste(
    monkeypatch, method, asked
):
    def too_large(*_):
        raise StateTooLargeError("too large")

    def ask(*_, inputs, corners, seed):
        raise VerificationError(f"{(inputs, corners, seed)}")

    monkeypatch.setattr(proof, "_reference", too_large)
    monkeypatch.setattr(proof, "prove_operators", ask)
    program = encoded(named_game("skat-4"), "lists")
    plan = Plan(program, "all:16", Options(method))
    candidate = lower(plan, no_clock, Attempt("cheapest", "qiskit", 7))
    verdict = proof.prove(plan, no_clock, candidate).verdict
    assert (verdict.verified, verdict.detail) == ("refuted", str((*asked, 7)))


BROKEN = {
    "play 1 of 1": lambda: CardPlay(3, 1, 1, 1),
    "play 1 of 2": lambda: CardPlay(3, 2, 0, 1, opening=True),
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
