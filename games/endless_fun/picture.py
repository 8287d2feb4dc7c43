"""A round's cards as wires with gates, a wire for each player's qudit."""

from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import Gate as DrawnGate

from games.endless_fun.rules.gates import Gate
from games.endless_fun.rules.round import Round


def round_picture(played: Round) -> QuantumCircuit:
    """Return what is drawn of a round; its wires are qudits, and ⊕ adds the control to the target.

    Not to be run: for that, see the encodings.
    """
    wires = [
        QuantumRegister(1, f"player {seat} |{value}⟩")
        for seat, value in enumerate(played.start, start=1)
    ]
    circuit = QuantumCircuit(*wires)
    for number, row in enumerate(played.rows):
        if number:
            circuit.barrier()
        for at, gate in enumerate(row):
            if gate in (Gate.CNOT_LEFT, Gate.CNOT_RIGHT):
                circuit.cx(at, at + gate.reach)
            elif gate.qudits == 2:
                circuit.swap(at, at + gate.reach)
            elif gate is not Gate.I:
                circuit.append(DrawnGate(gate.value, 1, []), [at])
    return circuit
