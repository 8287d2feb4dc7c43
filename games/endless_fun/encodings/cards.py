"""Rounds card by card: what is paid if nothing is known and nothing renamed."""

from collections.abc import Sequence
from math import pi

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import Qubit

from games.encoding import Encoding, encoding
from games.endless_fun.encodings.lanes import ILLEGAL, REGISTER
from games.endless_fun.game import EndlessRound
from games.endless_fun.operators.cnot import QutritCnot
from games.endless_fun.operators.codes import SAME
from games.endless_fun.operators.qutrit import QutritCards, places
from games.endless_fun.rules.gates import Gate


@encoding("cards")
class Cards(Encoding[EndlessRound]):
    """Register `qutrits`: qubits 2i and 2i+1 are qutrit i, low bit first; `qubits` in 2D: qubit i.

    A card is an operator of its own, or a gate in 2D. A level is the same word all the time, and a
    qutrit is always on its own qubits.
    """

    family = EndlessRound
    small = True

    def supports(self, game: EndlessRound) -> bool:
        """Tell that every round can be encoded so."""
        return True

    def rank(self, game: EndlessRound) -> int:
        """Return 2: the most gates."""
        return 2

    def program(self, game: EndlessRound) -> QuantumCircuit:
        """Return the cards in their order and measurements of all qudits."""
        played, bits = game.round, game.bits
        quantum = QuantumRegister(bits * played.qudits, REGISTER[played.dimension])
        classical = ClassicalRegister(quantum.size, quantum.name)
        circuit = QuantumCircuit(quantum, classical, name=game.name)
        for place, value in enumerate(played.start):
            for bit in range(bits):
                if value >> bit & 1:
                    circuit.x(bits * place + bit)
        for step in played.steps():
            on = [quantum[bits * place : bits * (place + 1)] for place in step.qudits]
            if step.gate.swaps:
                for one, other in zip(*on, strict=True):
                    circuit.swap(one, other)
            elif played.dimension == 2:
                _append_qubit_card(circuit, step.gate, [qubit for (qubit,) in on], played.pauli)
            elif len(on) == 2:
                circuit.append(QutritCnot(SAME, SAME), [*on[0], *on[1]])
            else:
                circuit.append(QutritCards(SAME, SAME, *places(step.gate)), on[0])
        circuit.measure(quantum, classical)
        return circuit

    def outcome(self, game: EndlessRound, measured: int) -> int | None:
        """Return what was measured, unless a word is illegal."""
        if game.round.dimension == 3 and ILLEGAL in game.values(measured):
            return None
        return measured


def _append_qubit_card(
    circuit: QuantumCircuit, card: Gate, qubits: Sequence[Qubit], pauli: bool
) -> None:
    match card:
        case Gate.X:
            circuit.x(*qubits)
        case Gate.Y if pauli:
            circuit.y(*qubits)
        case Gate.Y:
            circuit.x(*qubits)
            circuit.global_phase += pi / 2
        case Gate.Z:
            circuit.z(*qubits)
        case Gate.H1:
            circuit.h(*qubits)
        case Gate.H2:
            circuit.h(*qubits)
            circuit.s(*qubits)
        case _:
            circuit.cx(*qubits)
