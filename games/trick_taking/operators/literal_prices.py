"""Cost in Qiskit of the multi-controlled gates of the literal constructions.

Upper estimates: the result of level 3 of Qiskit 2.6 for one gate where a spare qubit is
available. Between the gates of a whole operator it finds savings of up to three quarters. The
estimates are for comparing methods, at sizes that no machine could build.
"""

from collections.abc import Mapping

from compiler.synthesis.method import GateKind

_FEW = {"x": (0, 1, 6, 14, 36), "ry": (0, 2, 8, 20, 24), "h": (0, 1)}


def multi_controlled(name: str, controls: int) -> int:
    """Return the two-qubit gates of an X, Ry or H gate with some controls."""
    if controls < len(_FEW[name]):
        return _FEW[name][controls]
    return 12 * controls - 4 if name == "x" else 16 * controls - 24


def priced(cost: Mapping[GateKind, int]) -> int:
    """Return the two-qubit gates of X, Ry and H gates, by name and controls."""
    return sum(number * multi_controlled(*kind) for kind, number in cost.items())


def dense_preparation(qubits: int, *, controlled: bool) -> int:
    """Return the two-qubit gates of a dense state preparation."""
    if qubits < 2 and not controlled:
        return 0
    return 2 ** (qubits + 3) if controlled else 2**qubits
