"""Gates of OpenQASM 3 as circuits with exact global phases, which a control makes visible.

The built-in U(θ, φ, λ) of the specification is exp(iθ/2) times Qiskit's `UGate`. `u2` and `u3` of
the standard library are exp(-i(φ + λ)/2) times Qiskit's. All other standard gates are Qiskit's,
with `cu` as defined in `stdgates.inc`.
"""

from collections.abc import Callable, Mapping, Sequence
from math import pi, tau

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.circuit.library import (
    CCXGate,
    CHGate,
    CPhaseGate,
    CRXGate,
    CRYGate,
    CRZGate,
    CSwapGate,
    CUGate,
    CXGate,
    CYGate,
    CZGate,
    HGate,
    IGate,
    PhaseGate,
    RXGate,
    RYGate,
    RZGate,
    SdgGate,
    SGate,
    SwapGate,
    SXGate,
    TdgGate,
    TGate,
    UGate,
    XGate,
    YGate,
    ZGate,
)

from compiler.circuits.tolerances import ROUNDING
from compiler.formats.modifiers import controlled, inverted, raised


@frozen
class Unitary:
    """Action of a gate.

    Args:
        circuit: standard gates, with the global phase of the specification.
        convention: radians by which the phase is ahead of the one that Qiskit's importer gives it.
    """

    circuit: QuantumCircuit
    convention: float = 0.0

    @property
    def differs(self) -> bool:
        """Return whether Qiskit's importer would read another phase."""
        return abs((self.convention + pi) % tau - pi) > ROUNDING

    def inverse(self) -> "Unitary":
        """Return the inverse."""
        return Unitary(inverted(self.circuit), -self.convention)

    def power(self, exponent: float) -> "Unitary":
        """Return a power; of powers that are not whole the principal one.

        Raises:
            CircuitFileError: if it cannot be computed.
        """
        return Unitary(raised(self.circuit, exponent), exponent * self.convention)

    def controlled(self, controls: int, *, on: bool) -> "Unitary":
        """Return the gate under controls, which come before its own qubits.

        Args:
            controls: how many.
            on: whether all controls must be 1, or all 0.
        """
        state = (1 << controls) - 1 if on else 0
        return Unitary(controlled(self.circuit, controls, state))


@frozen
class StandardGate:
    """A gate of the standard library.

    Args:
        build: takes the parameters in radians.
        parameters: how many.
        qubits: how many.
        phase: by parameters, of the gate beyond Qiskit's.
    """

    build: Callable[..., Gate]
    parameters: int
    qubits: int
    phase: Callable[..., float] | None = None

    def unitary(self, parameters: Sequence[float]) -> Unitary:
        """Return the gate with parameters in radians."""
        phase = 0.0 if self.phase is None else self.phase(*parameters)
        circuit = QuantumCircuit(self.qubits, global_phase=phase)
        circuit.append(self.build(*parameters), range(self.qubits))
        return Unitary(circuit, phase)


U = StandardGate(UGate, 3, 1, lambda theta, phi, lam: theta / 2)

STANDARD_LIBRARY: Mapping[str, StandardGate] = {
    "p": StandardGate(PhaseGate, 1, 1),
    "x": StandardGate(XGate, 0, 1),
    "y": StandardGate(YGate, 0, 1),
    "z": StandardGate(ZGate, 0, 1),
    "h": StandardGate(HGate, 0, 1),
    "s": StandardGate(SGate, 0, 1),
    "sdg": StandardGate(SdgGate, 0, 1),
    "t": StandardGate(TGate, 0, 1),
    "tdg": StandardGate(TdgGate, 0, 1),
    "sx": StandardGate(SXGate, 0, 1),
    "rx": StandardGate(RXGate, 1, 1),
    "ry": StandardGate(RYGate, 1, 1),
    "rz": StandardGate(RZGate, 1, 1),
    "cx": StandardGate(CXGate, 0, 2),
    "cy": StandardGate(CYGate, 0, 2),
    "cz": StandardGate(CZGate, 0, 2),
    "cp": StandardGate(CPhaseGate, 1, 2),
    "crx": StandardGate(CRXGate, 1, 2),
    "cry": StandardGate(CRYGate, 1, 2),
    "crz": StandardGate(CRZGate, 1, 2),
    "ch": StandardGate(CHGate, 0, 2),
    "swap": StandardGate(SwapGate, 0, 2),
    "ccx": StandardGate(CCXGate, 0, 3),
    "cswap": StandardGate(CSwapGate, 0, 3),
    "cu": StandardGate(CUGate, 4, 2),
    "CX": StandardGate(CXGate, 0, 2),
    "phase": StandardGate(PhaseGate, 1, 1),
    "cphase": StandardGate(CPhaseGate, 1, 2),
    "id": StandardGate(IGate, 0, 1),
    "u1": StandardGate(PhaseGate, 1, 1),
    "u2": StandardGate(
        lambda phi, lam: UGate(pi / 2, phi, lam), 2, 1, lambda phi, lam: -(phi + lam) / 2
    ),
    "u3": StandardGate(UGate, 3, 1, lambda theta, phi, lam: -(phi + lam) / 2),
}
"""The gates of `stdgates.inc`, version 3.1."""
