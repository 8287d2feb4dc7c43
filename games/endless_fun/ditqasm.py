"""Rounds in DITQASM 2.0, the input format of MQT Qudits."""

from games.endless_fun.encodings.fused import Add, Copy, Fused, Start, Turn
from games.endless_fun.operators.cards import QUBIT_GATES, cards_for, cards_from_zero
from games.endless_fun.rules.gates import Gate

GATES: dict[int, dict[Gate, tuple[str, ...]]] = {
    2: QUBIT_GATES,
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
