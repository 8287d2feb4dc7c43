"""Circuits as Pauli rotations before one Clifford operation.

A gate is a product of Clifford gates and rotations about Z, and a rotation moves before all
Clifford gates C: R_Z(θ) C = C R_P(θ), where P = C† Z C and R_P(θ) = exp(-iθP/2). What is left,

    U = C · R_{P_m}(θ_m) ⋯ R_{P_1}(θ_1),

takes n bits twice for each rotation, and C the Paulis C† X C and C† Z C for every qubit.
References: Litinski, arXiv:1808.02892; Aaronson and Gottesman, arXiv:quant-ph/0406196.
"""

from collections.abc import Sequence
from math import isfinite, pi

from attrs import define, field, frozen
from qiskit import QuantumCircuit, transpile
from qiskit.circuit import CircuitInstruction
from qiskit.synthesis import OneQubitEulerDecomposer

from compiler.circuits.tolerances import SAME
from compiler.errors import VerificationError
from compiler.formats.plain_gates import plain

CLIFFORD = ["x", "y", "z", "h", "s", "sdg", "sx", "sxdg"]
TURNS = ["rz", "p", "rx", "ry", "u"]
BASIS = ["cx", "cz", "swap", "id", *CLIFFORD, *TURNS]

_euler = OneQubitEulerDecomposer("ZYZ")


@frozen
class Pauli:
    """i^power · X^x · Z^z, bit q of x and z for qubit q."""

    x: int
    z: int
    power: int

    def __mul__(self, other: "Pauli") -> "Pauli":
        power = self.power + other.power + 2 * (self.z & other.x).bit_count()
        return Pauli(self.x ^ other.x, self.z ^ other.z, power % 4)

    def times_i(self, power: int) -> "Pauli":
        """Return i^power times this."""
        return Pauli(self.x, self.z, (self.power + power) % 4)

    def on_zero(self, zeros: int) -> "Pauli":
        """Return what is left where a Z on some qubits is 1, if this commutes with it."""
        return Pauli(self.x, self.z & ~(zeros & ~self.x), self.power)


@define
class Rotations:
    """A circuit as rotations before a Clifford operation.

    Args:
        axes: P₁ … P_m.
        angles: θ₁ … θ_m in radians, each in [-π/4, π/4) up to rounding.
        xs: for each wire C† X C.
        zs: for each wire C† Z C.
        dropped: sum of the angles that were neglected.
    """

    xs: list[Pauli]
    zs: list[Pauli]
    axes: list[Pauli] = field(factory=list)
    angles: list[float] = field(factory=list)
    dropped: float = 0.0

    @classmethod
    def of(cls, circuit: QuantumCircuit, zeros: int = 0) -> "Rotations":
        """Return a circuit's rotations.

        Args:
            circuit: unitary gates and barriers.
            zeros: bits of the qubits that start in |0⟩; a Z on one of them is 1 until a rotation
                moves it.

        Raises:
            VerificationError: if an angle is no finite number.
        """
        qubits = range(circuit.num_qubits)
        found = cls([Pauli(1 << q, 0, 0) for q in qubits], [Pauli(0, 1 << q, 0) for q in qubits])
        # Qiskit goes by names.
        narrow = transpile(
            plain(circuit), basis_gates=BASIS, optimization_level=0, qubits_initially_zero=False
        )
        index = {qubit: place for place, qubit in enumerate(narrow.qubits)}
        for item in narrow.data:
            if item.name not in ("barrier", "id"):
                zeros &= ~found._play(item, [index[qubit] for qubit in item.qubits], zeros)
        return found

    def _play(self, item: CircuitInstruction, qubits: Sequence[int], zeros: int) -> int:
        """Append a gate; return the qubits that no longer are in |0⟩."""
        name, first, last = item.name, qubits[0], qubits[-1]
        xs, zs = self.xs, self.zs
        match name:
            case "cx":
                xs[first], zs[last] = xs[first] * xs[last], zs[first] * zs[last]
            case "cz":
                xs[first], xs[last] = xs[first] * zs[last], xs[last] * zs[first]
            case "swap":
                xs[first], xs[last] = xs[last], xs[first]
                zs[first], zs[last] = zs[last], zs[first]
            case "h":
                self._hadamard(first)
            case "x" | "y" | "z" | "s" | "sdg" | "sx" | "sxdg":
                self._clifford(name, first)
            case "rz" | "p":
                return self._turn(first, float(item.params[0]), zeros)
            case _:
                theta, phi, lam, _ = _euler.angles_and_phase(item.operation.to_matrix())
                moved = self._turn(first, lam, zeros)
                # SX† · Z · SX = Y.
                self._clifford("sx", first)
                moved |= self._turn(first, theta, zeros & ~moved)
                self._clifford("sxdg", first)
                return moved | self._turn(first, phi, zeros & ~moved)
        return 0

    def _hadamard(self, qubit: int) -> None:
        self.xs[qubit], self.zs[qubit] = self.zs[qubit], self.xs[qubit]

    def _clifford(self, name: str, qubit: int) -> None:
        quarters = {"s": 1, "z": 2, "sdg": 3, "sx": 1, "x": 2, "sxdg": 3, "y": 2}[name]
        if name in ("s", "z", "sdg", "y"):
            self._quarters(qubit, quarters)
        if name in ("sx", "x", "sxdg", "y"):
            self._hadamard(qubit)
            self._quarters(qubit, quarters)
            self._hadamard(qubit)

    def _quarters(self, qubit: int, times: int) -> None:
        """Append S some times: S† X S = -Y = -iXZ."""
        for _ in range(times % 4):
            self.xs[qubit] = (self.xs[qubit] * self.zs[qubit]).times_i(3)

    def _turn(self, qubit: int, angle: float, zeros: int) -> int:
        if not isfinite(angle):
            raise VerificationError(f"a gate turns by {angle}")
        # π/4 is far commoner than what lies beside it, and rounding must not split it.
        quarters = int((angle + pi / 4 + 1e-9) // (pi / 2))
        angle -= quarters * pi / 2
        axis = self.zs[qubit].on_zero(zeros)
        if abs(angle) <= SAME:
            self.dropped += abs(angle)
        elif axis.x or axis.z:
            self.axes.append(axis)
            self.angles.append(angle)
        self._quarters(qubit, quarters)
        return axis.x & zeros
