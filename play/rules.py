"""Rules of a game as players read them: goal, a turn, and every gate with its picture."""

from collections.abc import Sequence

from attrs import field, frozen
from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import Gate
from qiskit.circuit.library import CXGate

from games.panels import Lines, Panel


def gate_picture(name: str, *operands: str) -> QuantumCircuit:
    """Return a circuit of one gate on named operands; `CNOT` has its dot on the first."""
    circuit = QuantumCircuit(*(QuantumRegister(1, operand) for operand in operands))
    gate = CXGate() if name == "CNOT" else Gate(name, len(operands), [])
    circuit.append(gate, range(len(operands)))
    return circuit


@frozen(eq=False)
class GateRule:
    """Effect of a gate.

    Args:
        name: name of the gate for players.
        text: one sentence.
        picture: circuit of the gate.
    """

    name: str
    text: str
    picture: QuantumCircuit


@frozen
class GameRules:
    """Rules of a game.

    Args:
        goal: how to win.
        turn: actions of a turn.
        paper: source of the game.
        link: link to the paper or the rules; empty if there is none.
        gates: gates of the game.
    """

    goal: str
    turn: str
    paper: str
    link: str = ""
    gates: Sequence[GateRule] = field(factory=tuple)

    def panels(self) -> list[Panel]:
        """Return the rules in characters."""
        lines = [Lines("Goal", [self.goal]), Lines("A turn", [self.turn])]
        for gate in self.gates:
            drawn = str(gate.picture.draw("text", initial_state=False)).splitlines()
            lines.append(Lines(gate.name, [gate.text, *map(str.rstrip, drawn)]))
        return [*lines, Lines("Source", [f"{self.paper}. {self.link}".strip()])]
