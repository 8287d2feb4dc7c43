"""A round's cards as wires with gates, a wire for each qudit."""

from collections.abc import Sequence

from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import Gate as DrawnGate

from games.endless_fun.rules.gates import Gate
from games.endless_fun.rules.round import Round
from games.playing.panels import Circuit

WIDTH = 100
"""Characters of a line."""


def round_picture(played: Round, names: Sequence[str] = ()) -> QuantumCircuit:
    """Return what is drawn of a round; its wires are qudits, and ⊕ adds the control to the target.

    Not to be run: for that, see the encodings.

    Args:
        played: the round.
        names: whose each qudit is; none for its number.
    """
    called = names or [f"qudit {place}" for place in range(1, played.qudits + 1)]
    wires = [
        QuantumRegister(1, f"{name} |{value}⟩")
        for name, value in zip(called, played.start, strict=True)
    ]
    circuit = QuantumCircuit(*wires)
    for number, row in enumerate(played.rows):
        if number:
            circuit.barrier()
        for at, gate in enumerate(row):
            if gate.swaps:
                circuit.swap(at, at + gate.reach)
            elif gate.qudits == 2:
                circuit.cx(at, at + gate.reach)
            elif gate is not Gate.I:
                circuit.append(DrawnGate(gate.value, 1, []), [at])
    return circuit


def circuit_panel(played: Round, names: Sequence[str] = ()) -> Circuit:
    """Return the wires of a round, in characters and to be drawn; see `round_picture`."""
    picture = round_picture(played, names)
    drawn = str(picture.draw("text", fold=WIDTH, plot_barriers=True, initial_state=False))
    lines = [line.rstrip() for line in drawn.splitlines()]
    return Circuit("Circuit: ■ controls, and is added to X", lines, picture)
