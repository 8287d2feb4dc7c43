"""A Boolean function of a few qubits onto a fresh one, for one CZ per control that is named."""

from collections.abc import Sequence

from qiskit import QuantumCircuit
from qiskit.circuit import Qubit


def append_ladder(
    circuit: QuantumCircuit, target: Qubit, controls: Sequence[Qubit], angles: Sequence[float]
) -> None:
    """Append Ry(a₀) CZ(c₁) Ry(a₁) … CZ(c_L) Ry(a_L) on a qubit in |0⟩.

    A CZ whose control is 1 flips the sign of every earlier angle, because Z·Ry(a)·Z = Ry(−a).
    So on controls in a basis state the target is turned by

        θ = Σₜ aₜ · (−1)^(c_{t+1} ⊕ … ⊕ c_L),

    up to a sign of the whole state: to |0⟩ where θ ≡ 0 and to |1⟩ where θ ≡ π (mod 2π).

    Args:
        circuit: what is appended to.
        target: a qubit in |0⟩.
        controls: the control of each CZ, in order; a qubit may come up again.
        angles: of the Ry gates, in radians, one more than controls.
    """
    circuit.ry(angles[0], target)
    for control, angle in zip(controls, angles[1:], strict=True):
        circuit.cz(control, target)
        circuit.ry(angle, target)
