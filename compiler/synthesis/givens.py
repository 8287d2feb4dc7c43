"""Reflections that branch: real gates which cost no more than their classical counterparts.

Signs of basis states are free wherever branches do not interfere later, as in
`compiler.synthesis.permutations`. That makes every rotation here a reflection: it is its own
inverse, and one CZ less under a control.
"""

from math import asin, pi, sqrt

from qiskit import QuantumCircuit


def angle_of(probability: float) -> float:
    """Return φ with sin²φ = `probability`."""
    return asin(sqrt(probability))


def reflect(circuit: QuantumCircuit, target: int, angle: float) -> None:
    """Append M(φ) = [[cos φ, sin φ], [sin φ, −cos φ]]; |0⟩ becomes 1 with probability sin²φ."""
    circuit.ry(-angle, target)
    circuit.z(target)
    circuit.ry(angle, target)


def reflect_if(circuit: QuantumCircuit, control: int, target: int, angle: float) -> None:
    """Append M(φ) where `control` is 1, exactly: one CZ."""
    circuit.ry(-angle, target)
    circuit.cz(control, target)
    circuit.ry(angle, target)


def exchange(circuit: QuantumCircuit, a: int, b: int, angle: float) -> None:
    """Exchange two different bits with probability sin²φ, exactly as follows: two CZ.

    |10⟩ → −cos φ |10⟩ + sin φ |01⟩ and |01⟩ → sin φ |10⟩ + cos φ |01⟩, a's bit first;
    |00⟩ stays, |11⟩ gets the sign −1.

    Between two of these with the same φ, a Z on `a` makes one with 2φ, a Z on `b` one with 2φ + π.
    """
    angles = _open(circuit, a, b, angle)
    reflect(circuit, a, angles[0])
    reflect(circuit, b, angles[1])
    _close(circuit, a, b)


def exchange_if(circuit: QuantumCircuit, control: int, a: int, b: int, angle: float) -> None:
    """Append the map of `exchange` where `control` is 1: four CZ.

    Where it is 0, nothing happens: the two outer CZ cancel.
    """
    angles = _open(circuit, a, b, angle)
    reflect_if(circuit, control, a, angles[0])
    reflect_if(circuit, control, b, angles[1])
    _close(circuit, a, b)


def _open(circuit: QuantumCircuit, a: int, b: int, angle: float) -> tuple[float, float]:
    """Change the basis so that M(α) ⊗ M(β) with α + β = π/2 acts on |01⟩ and |10⟩ alone.

    There it is cos(α−β)·X ± sin(α−β)·Z.
    """
    circuit.ry(pi / 2, a)
    circuit.ry(pi / 2, b)
    circuit.cz(a, b)
    difference = pi / 2 - angle
    return (pi / 2 + difference) / 2, (pi / 2 - difference) / 2


def _close(circuit: QuantumCircuit, a: int, b: int) -> None:
    circuit.cz(a, b)
    circuit.ry(-pi / 2, a)
    circuit.ry(-pi / 2, b)
