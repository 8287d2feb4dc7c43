"""A round as a circuit: a qubit for each row, measured whenever the row is taken."""

from collections.abc import Sequence

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from games.encoding import Encoding, encoding
from games.six_nimmt.game import SixNimmtRound
from games.six_nimmt.hswap import HSwap
from games.six_nimmt.rules.cards import ROWS, Operation
from games.six_nimmt.rules.round import Event, Taken


@encoding("rows")
class RowQubits(Encoding[SixNimmtRound]):
    """Register `rows`: qubit r is row r's. Register `taken`: bit i is the i-th measurement's."""

    family = SixNimmtRound
    small = True

    def supports(self, game: SixNimmtRound) -> bool:
        """Return whether the round has a measurement."""
        return bool(game.takings)

    def program(self, game: SixNimmtRound) -> QuantumCircuit:
        """Return the operations and measurements in their order."""
        reset = game.options.measured_qubit == "reset"
        return round_circuit(game.name, game.events, reset=reset)


def round_circuit(name: str, events: Sequence[Event], *, reset: bool) -> QuantumCircuit:
    """Return gates and measurements on the way.

    Args:
        name: name of the circuit.
        events: events in order.
        reset: whether a measured qubit is reset.
    """
    rows = QuantumRegister(ROWS, "rows")
    taken = ClassicalRegister(sum(isinstance(event, Taken) for event in events), "taken")
    circuit = QuantumCircuit(rows, *[taken] * bool(taken.size), name=name)
    bits = iter(taken)
    for event in events:
        if isinstance(event, Taken):
            circuit.measure(rows[event.row], next(bits))
            if reset:
                circuit.reset(rows[event.row])
            continue
        on = [rows[row] for row in event.rows]
        match event.operation:
            case Operation.H:
                circuit.h(*on)
            case Operation.Z:
                circuit.z(*on)
            case Operation.CNOT:
                circuit.cx(*on)
            case Operation.HSWAP:
                circuit.append(HSwap(), on)
    return circuit
