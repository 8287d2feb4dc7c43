"""CNOT mod 3 by the shortest circuit that we know."""

from collections.abc import Sequence
from math import atan, pi, sqrt

from qiskit import QuantumCircuit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from games.endless_fun.operators.codes import Code, line

TURN = pi / 12
MAGIC = atan(sqrt(2)) / TURN
"""The angle between a cube's edge and its diagonal, in twelfths of π."""

PAIRS = ((3, 2), (2, 1), (1, 0), (3, 1), (2, 1), (1, 0), (3, 1), (3, 2))
"""The CZ gates: qubits 0 and 1 are the control's, 2 and 3 the target's."""

Angles = tuple[float, float, float]

TURNS: Sequence[dict[int, Angles]] = (
    {1: (6, 6, 6), 2: (6, -3, -6), 3: (6, 9, -6)},
    {2: (12 - MAGIC, 6, 12)},
    {1: (8, 0, 0)},
    {0: (12, 12, 12), 1: (8, 0, 0), 2: (12, 10, 12), 3: (12 - MAGIC, 0, 0)},
    {},
    {1: (4, 12, 12)},
    {0: (12, 0, 12), 1: (4, 6, 0), 2: (12 - MAGIC, -3, 12), 3: (12, 8, 12)},
    {1: (6, 6, 12), 3: (12 - MAGIC, -3, 0)},
    {2: (6, 6, 12), 3: (6, 6, 12)},
)
"""Before, between and after the CZ gates: θ, φ and λ of U by qubit, in twelfths of π.

A numerical search over places of CZ gates and angles found it, and the angles turned out to be
these. What is illegal goes where it may.
"""


@synthesis_method("qutrit_cnot.eight")
class Eight(CountedMethod):
    """Eight CZ gates that add words mod 3, whatever levels the words stand for.

    Where the control's code falls and the target's rises, or the other way round, the words are
    to be taken away, and so the control's qubits exchange their parts: words 1 and 2 do.
    """

    def build(self, *params: Code) -> QuantumCircuit:
        """Return the circuit on the control's qubits, then the target's."""
        control, target = params
        qubits = (0, 1, 2, 3) if line(control)[0] == line(target)[0] else (1, 0, 2, 3)
        circuit = QuantumCircuit(4)
        for place, turns in enumerate(TURNS):
            for qubit, angles in turns.items():
                circuit.u(*(TURN * angle for angle in angles), qubits[qubit])
            if place < len(PAIRS):
                circuit.cz(*(qubits[qubit] for qubit in PAIRS[place]))
        return circuit
