"""An angle that is wrong by a millionth is found, whatever is compared."""

import pytest
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit.library import RXGate, RYGate, RZGate

from compiler.circuits.tolerances import APPROXIMATED
from compiler.errors import VerificationError
from compiler.lowering.draft import Draft
from compiler.lowering.qiskit_level_3 import level_3
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec
from compiler.verification.blocks.block_matching import verdict_by_blocks
from compiler.verification.equivalence import verdict_by_rotations, verify_equivalent
from compiler.verification.program import compared, program_state

SMALL = 1e-6
TURNS = [RXGate(SMALL), RYGate(SMALL), RZGate(SMALL)]
names = [gate.name for gate in TURNS]


def inserted(circuit, place, gate, *qubits):
    """Return a circuit with one more gate."""
    changed = circuit.copy_empty_like()
    for number, item in enumerate(circuit.data):
        if number == place:
            changed.append(gate, qubits)
        changed.append(item)
    if place == len(circuit.data):
        changed.append(gate, qubits)
    return changed


def places(circuit):
    """Return places all over a circuit, also at its end."""
    return range(len(circuit.data) // 3, len(circuit.data) + 1, len(circuit.data) // 7)


@pytest.mark.parametrize("gate", TURNS, ids=names)
def test_states(gate):
    circuit = circuit_from_spec("random-cx:5", 0)
    state, layout = program_state(circuit), tuple(range(5))
    assert compared(circuit, state, circuit, layout).verified == "exact"
    for place in places(circuit):
        wrong = inserted(circuit, place, gate, place % 5)
        with pytest.raises(VerificationError, match="the state is off by "):
            compared(circuit, state, wrong, layout)
        found = compared(circuit, state, wrong, layout, approximated=APPROXIMATED)
        assert found.verified == "unverified"


@pytest.mark.parametrize("gate", TURNS, ids=names)
def test_states_of_which_something_is_thrown_away(gate):
    circuit = circuit_from_spec("random-cx:5", 0)
    circuit.add_register(QuantumCircuit(0, 1).cregs[0])
    circuit.measure(0, 0)
    circuit.reset([0, 1])
    state, layout = program_state(circuit), tuple(range(5))
    assert compared(circuit, state, circuit, layout).verified == "exact"
    for place in range(2, len(circuit.data) - 3, len(circuit.data) // 5):
        with pytest.raises(VerificationError):
            compared(circuit, state, inserted(circuit, place, gate, 3), layout)


@pytest.mark.parametrize("gate", TURNS, ids=names)
@pytest.mark.parametrize("proof", ["blocks", "rotations", "states"])
def test_any_input(proof, gate):
    target = target_from_spec("star:6")
    circuit = circuit_from_spec("heisenberg:6", 0)
    draft = level_3(circuit, target, 0, any_input=True)

    def exact(made: Draft) -> bool:
        match proof:
            case "blocks":
                return verdict_by_blocks(circuit, made).verified == "exact"
            case "rotations":
                return verdict_by_rotations(circuit, made).verified == "exact"
            case _:
                found = verify_equivalent(circuit, made, target, approximated=APPROXIMATED)
                return found.verified == "exact"

    assert exact(draft)
    for place in places(draft.circuit):
        # Native gates are turns by Z and by half a turn about X.
        turn = RZGate(SMALL) if proof == "states" else gate
        changed = inserted(draft.circuit, place, turn, draft.final_layout[place % 6])
        assert not exact(evolve(draft, circuit=changed))


def test_a_swap_with_a_small_angle_is_not_simulated_as_a_swap():
    circuit = QuantumCircuit(3)
    for qubit, angle in enumerate((0.4, 1.1, 0.9)):
        circuit.ry(angle, qubit)
    circuit.cx(0, 1)
    circuit.cx(1, 0)
    circuit.cx(0, 1)
    place = len(circuit.data) - 1
    state, layout = program_state(circuit), (0, 1, 2)
    for gate in TURNS:
        wrong = inserted(circuit, place, gate, 1)
        with pytest.raises(VerificationError, match="the state is off by "):
            compared(circuit, state, wrong, layout)
