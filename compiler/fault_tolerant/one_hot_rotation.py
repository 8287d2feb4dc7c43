"""Rotations whose angle stands in a table: one addition, however long the table is.

Of the flags f₁ … f_m at most one is 1, and says by which angle the target is rotated:

    |f, t⟩ → |f⟩ Ry(Σ fⱼ θⱼ) |t⟩.

As a circuit that is m controlled rotations. With a *phase gradient*, Σ exp(-2πik/2^B) |k⟩ / √2^B,
it is one addition: CX gates from the flags write the angle, a number of b bits, into a clean
register; the number is added to the gradient, or subtracted where the target is 1 (the CX gates
that complement the gradient before and after); the CX gates clear the register. Adding changes
nothing but the phase, so that the gradient is there for the next rotation.

References:
    Gidney, arXiv:1709.06648, for the adder; Low, Kliuchnikov and Schaeffer, arXiv:1812.00954,
    section 2.2, for tables of angles.
"""

from collections.abc import Callable, Sequence

from qiskit import QuantumCircuit
from qiskit.circuit import Gate

from compiler.fault_tolerant.temporary_ands import temporary_and


def rotate_equally(
    circuit: QuantumCircuit, qubits: Sequence[int], theta: float, ancilla: Callable[[], int]
) -> None:
    """Rotate qubits by Ry(θ) each, up to a global phase: ⌊log₂ m⌋ + 1 rotations.

    Args:
        circuit: to be extended.
        qubits: one or more.
        theta: in radians.
        ancilla: gives clean qubits; they come back.
    """
    turned = circuit.copy_empty_like()
    for qubit in qubits:
        # Z becomes Y.
        turned.h(qubit)
        turned.s(qubit)
    adding, bits = circuit.copy_empty_like(), []
    level = list(qubits)
    while level:
        carries = []
        while len(level) > 1:
            level, result = _added(adding, level, ancilla())
            carries.append(result)
        bits += level
        level = carries
    circuit.compose(turned.inverse(), inplace=True)
    circuit.compose(adding, inplace=True)
    for place, bit in enumerate(bits):
        circuit.rz(theta * 2**place, bit)
    circuit.compose(adding.inverse(), inplace=True)
    circuit.compose(turned, inplace=True)


def _added(circuit: QuantumCircuit, level: Sequence[int], result: int) -> tuple[list[int], int]:
    """Add up to three bits; return the other bits of their level, the sum last, and the carry."""
    *remaining, last = level
    terms = remaining[-2:]
    carry(circuit, terms, last, result)
    total = terms[-1]
    # With three bits, the first and the last have been added to the second one.
    for other in (*terms[:-1], last):
        circuit.cx(other, total)
    return [*remaining[: -len(terms)], total], result


ONE_HOT_ROTATION = "one_hot_rotation"


class OneHotRotation(Gate):
    """Ry(θⱼ) on the last qubit where flag j is 1; exact for any flags.

    Args:
        angles: of each flag, in radians.
    """

    def __init__(self, angles: Sequence[float]) -> None:
        super().__init__(ONE_HOT_ROTATION, len(angles) + 1, list(angles))

    def _define(self) -> None:
        self.definition = QuantumCircuit(self.num_qubits)
        for flag, angle in enumerate(self.params):
            self.definition.cry(angle, flag, self.num_qubits - 1)

    def inverse(self, annotated: bool = False) -> Gate:
        """Return the rotation back."""
        return OneHotRotation([-angle for angle in self.params])


def additions(bits: int) -> int:
    """Return the ANDs of an addition to the gradient, for angles of b bits: B - 1, B = b + 2."""
    return bits + 1


def gradient_qubits(bits: int) -> int:
    """Return the qubits of the gradient, the angle and the carries, for angles of b bits."""
    gradient = bits + 2
    return gradient + bits + gradient - 1


def add(
    circuit: QuantumCircuit, addend: Sequence[int], total: Sequence[int], carries: Sequence[int]
) -> None:
    """Add a number of n bits to a register of S bits, modulo 2^S: S - 1 temporary ANDs.

    Args:
        circuit: to be extended.
        addend: the number, lowest bit first; it comes back.
        total: the register, at least as wide.
        carries: S - 1 clean qubits.

    References:
        Gidney, arXiv:1709.06648, figure 1.
    """
    top = len(total) - 1
    for i in range(top):
        carry(circuit, (*addend[i : i + 1], *carries[max(0, i - 1) : i]), total[i], carries[i])
    if top:
        circuit.cx(carries[top - 1], total[top])
    if top < len(addend):
        circuit.cx(addend[top], total[top])
    for i in reversed(range(top)):
        carrying = circuit.copy_empty_like()
        carry(carrying, (*addend[i : i + 1], *carries[max(0, i - 1) : i]), total[i], carries[i])
        circuit.compose(carrying.inverse(), inplace=True)
        for term in (*carries[max(0, i - 1) : i], *addend[i : i + 1]):
            circuit.cx(term, total[i])


def carry(circuit: QuantumCircuit, terms: Sequence[int], last: int, result: int) -> None:
    """Write into a clean qubit whether two or more of up to three bits are 1: one AND.

    With three, the first and the last bit hold garbage until the inverse clears the result.

    Args:
        circuit: to be extended.
        terms: one or two of the bits.
        last: another one.
        result: the clean qubit.
    """
    if len(terms) == 1:
        temporary_and(circuit, terms[0], last, result)
        return
    bit, before = terms
    circuit.cx(before, last)
    circuit.cx(before, bit)
    temporary_and(circuit, bit, last, result)
    circuit.cx(before, result)
