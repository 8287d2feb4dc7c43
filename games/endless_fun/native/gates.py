"""A round as gates on lanes of d levels, for machines and for our simulator."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from compiler.circuits.matrices import Matrix
from games.endless_fun.encodings.fused import Add, Copy, Fused, Start, Turn
from games.endless_fun.operators.cards import cards_for, cards_from_zero, dense, product
from games.endless_fun.rules.gates import Gate
from games.endless_fun.rules.round import Round


@frozen(eq=False)
class LaneGate:
    """A unitary matrix on one lane or two.

    Args:
        matrix: unitary matrix; the first lane's value is the most significant part of an index.
        lanes: different ones.
    """

    matrix: Matrix
    lanes: tuple[int, ...]


@frozen(eq=False)
class LaneCircuit:
    """Gates from |0…0⟩, and where the qudits are in the end.

    Args:
        dimension: levels of a lane.
        width: lanes.
        gates: gates in order.
        outputs: the lane of each qudit, from left to right.
    """

    dimension: int
    width: int
    gates: Sequence[LaneGate]
    outputs: tuple[int, ...]

    @property
    def two_body(self) -> int:
        """Gates on two lanes."""
        return sum(len(gate.lanes) == 2 for gate in self.gates)

    @property
    def two_body_depth(self) -> int:
        """Layers of gates on two lanes."""
        depth = [0] * self.width
        for gate in self.gates:
            if len(gate.lanes) == 2:
                layer = 1 + max(depth[lane] for lane in gate.lanes)
                for lane in gate.lanes:
                    depth[lane] = layer
        return max(depth)


def on_qudits(round_: Fused) -> LaneCircuit:
    """Return a round with known states used, on lanes of its own levels: swaps rename lanes."""
    d = round_.dimension
    add = dense(Gate.CNOT_RIGHT, d)
    gates = []
    for step in round_.steps:
        match step:
            case Start(lane, state):
                gates.append(LaneGate(product(cards_from_zero(state), d), (lane,)))
            case Turn(lane, matrix):
                gates.append(LaneGate(matrix, (lane,)))
            case Copy(source, target):
                gates.append(LaneGate(add, (source, target)))
            case Add(control, target):
                gates.append(LaneGate(add, (control, target)))
    return LaneCircuit(d, len(round_.lanes), gates, round_.lanes)


def card_by_card(played: Round) -> LaneCircuit:
    """Return a round as it lies on the table: nothing is known, and a swap takes three gates.

    It is |a, b⟩ → |a, a+b⟩ → |−b, a+b⟩ → |−b, a⟩ → |b, a⟩; the second gate is an inverse CNOT.
    """
    d = played.dimension
    shift = np.roll(np.eye(d, dtype=np.complex128), 1, axis=0)
    add = dense(Gate.CNOT_RIGHT, d)
    sign = np.eye(d, dtype=np.complex128)[[-level % d for level in range(d)]]
    gates = [
        LaneGate(np.linalg.matrix_power(shift, level), (lane,))
        for lane, level in enumerate(played.start)
        if level
    ]
    for step in played.steps():
        if step.gate.swaps:
            first, other = step.qudits
            gates += [
                LaneGate(add, (first, other)),
                LaneGate(add.conj().T, (other, first)),
                LaneGate(add, (first, other)),
                LaneGate(sign, (first,)),
            ]
        else:
            gates.append(LaneGate(dense(step.gate, d, played.pauli), step.qudits))
    return LaneCircuit(d, played.qudits, gates, tuple(range(played.qudits)))


GATES: dict[int, dict[Gate, tuple[str, ...]]] = {
    2: {
        Gate.X: ("x",),
        Gate.Y: ("x",),
        Gate.Z: ("z",),
        Gate.H1: ("h",),
        Gate.H2: ("h", "s"),
    },
    3: {
        Gate.X1: ("x",),
        Gate.X2: ("x", "x"),
        Gate.Y1: ("x", "z"),
        Gate.Y2: ("x", "x", "z", "z"),
        Gate.Z1: ("z",),
        Gate.Z2: ("z", "z"),
        # s is diag(1, ω, 1), so that s and z twice are diag(1, ω, ω).
        Gate.H1: ("h", "s", "z", "s", "z"),
        Gate.H2: ("h", "s", "z"),
        Gate.H3: ("h",),
    },
}
"""The format's gates for each card, up to a phase, in their order."""


def ditqasm(round_: Fused) -> str:
    """Return a round that starts from |0…0⟩, its cards in single gates.

    Swaps have renamed qudits: bit i of register c is player i's value, from the left.
    """
    d, lanes = round_.dimension, len(round_.lanes)
    lines = [
        "DITQASM 2.0;",
        f"qreg q [{lanes}][{','.join([str(d)] * lanes)}];",
        f"creg c[{lanes}];",
    ]
    for step in round_.steps:
        match step:
            case Start(lane, state):
                lines += _cards(cards_from_zero(state), d, lane)
            case Turn(lane, matrix):
                lines += _cards(cards_for(matrix), d, lane)
            case Copy(one, other) | Add(one, other):
                lines.append(f"csum q[{one}],q[{other}];")
    lines += [f"measure q[{lane}] -> c[{place}];" for place, lane in enumerate(round_.lanes)]
    return "\n".join(lines) + "\n"


def _cards(cards: tuple[Gate, ...], dimension: int, lane: int) -> list[str]:
    return [f"{gate} q[{lane}];" for card in cards for gate in GATES[dimension][card]]
