"""Gates in the native ones of each provider at Amazon Braket, as statements of OpenQASM 3."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import isclose, pi, remainder

from backends.errors import BackendError
from compiler.circuits.tolerances import ROUNDING

Angles = Sequence[float]
Labels = Sequence[str]
Phases = defaultdict[str, float]
"""Angle of the rotation about Z that each qubit still lacks, in radians."""


def statements(provider: str, gates: Sequence[tuple[str, Angles, Labels]]) -> list[str]:
    """Return native gates for a verbatim box.

    Args:
        provider: part of an ARN, such as `ionq`.
        gates: names as Qiskit has them, angles in radians, and labels such as `$3`.

    Raises:
        BackendError: if the provider has no such gate.
    """
    write, phases = DIALECTS[provider], Phases(float)
    lines: list[str] = []
    for name, angles, on in gates:
        written = write(name, [float(angle) for angle in angles], on, phases)
        if written is None:
            raise BackendError(
                f"{NAMES[provider]}'s devices have no gate '{name}'; compile for the target of "
                "the backend"
            )
        lines += written
    return lines


def _iqm(name: str, angles: Angles, on: Labels, phases: Phases) -> list[str] | None:
    if name == "r":
        return [f"prx({angles[0]!r}, {angles[1]!r}) {on[0]};"]
    return [f"cz {on[0]}, {on[1]};"] if name == "cz" else None


def _rigetti(name: str, angles: Angles, on: Labels, phases: Phases) -> list[str] | None:
    """Write RX by π/2 or π alone, RZ, and the gate of the couplers."""
    match name:
        case "sx" | "x":
            return [f"rx({(pi / 2 if name == 'sx' else pi)!r}) {on[0]};"]
        case "rz":
            return [f"rz({angles[0]!r}) {on[0]};"]
        case "cz" | "iswap":
            return [f"{name} {on[0]}, {on[1]};"]
    return None


def _aqt(name: str, angles: Angles, on: Labels, phases: Phases) -> list[str] | None:
    """Write PRX with θ in [0, π] and XX with θ in [0, π/2].

    R(-θ, φ) = R(θ, φ+π), XX(θ±π) = XX(θ)·(X⊗X) up to a phase, and XX(-θ) = Z·XX(θ)·Z on one
    qubit.
    """
    if name == "rz":
        return [f"rz({angles[0]!r}) {on[0]};"]
    if name == "r":
        theta, phi = remainder(angles[0], 2 * pi), angles[1]
        return [f"prx({abs(theta)!r}, {(phi if theta >= 0 else phi + pi)!r}) {on[0]};"]
    if name != "rxx":
        return None
    theta = remainder(angles[0], pi)
    flips = round((angles[0] - theta) / pi) % 2
    frame = [f"rz({pi!r}) {on[0]};"] if theta < 0 else []
    turned = [f"prx({pi!r}, 0.0) {label};" for label in on] if flips else []
    return [*turned, *frame, f"xx({abs(theta)!r}) {on[0]}, {on[1]};", *frame]


def _ionq(name: str, angles: Angles, on: Labels, phases: Phases) -> list[str] | None:
    """Write GPi, GPi2 and ZZ with θ in [-π/2, π/2]; rotations about Z go into later phases.

    A qubit with the phase f lacks RZ(f), and R(θ, φ)·RZ(f) = RZ(f)·R(θ, φ-f). ZZ commutes with
    RZ, and so do measurements. ZZ(θ±π) = ZZ(θ)·(Z⊗Z) up to a phase. Other angles of R than ±π/2
    and ±π take two GPi2: RX(θ) = RZ(π/2)·RX(π/2)·RZ(θ+π)·RX(π/2)·RZ(π/2).
    """
    if name == "rz":
        phases[on[0]] += angles[0]
        return []
    if name == "rzz":
        theta = remainder(angles[0], pi)
        if round((angles[0] - theta) / pi) % 2:
            for label in on:
                phases[label] += pi
        return [f"zz({theta!r}) {on[0]}, {on[1]};"]
    return _pulses(angles, on[0], phases) if name == "r" else None


def _pulses(angles: Angles, label: str, phases: Phases) -> list[str]:
    theta, phi = remainder(angles[0], 2 * pi), angles[1]
    if isclose(abs(theta), pi, abs_tol=ROUNDING):
        return [f"gpi({phi - phases[label]!r}) {label};"]
    if isclose(abs(theta), pi / 2, abs_tol=ROUNDING):
        return [f"gpi2({phi - phases[label] + (0 if theta > 0 else pi)!r}) {label};"]
    lines = []
    if not isclose(theta, 0, abs_tol=ROUNDING):
        phases[label] += pi / 2 - phi
        lines.append(f"gpi2({-phases[label]!r}) {label};")
        phases[label] += theta + pi
        lines.append(f"gpi2({-phases[label]!r}) {label};")
        phases[label] += pi / 2 + phi
    return lines


DIALECTS: Mapping[str, Callable[[str, Angles, Labels, Phases], list[str] | None]] = {
    "aqt": _aqt,
    "ionq": _ionq,
    "iqm": _iqm,
    "rigetti": _rigetti,
}
NAMES = {"aqt": "AQT", "ionq": "IonQ", "iqm": "IQM", "rigetti": "Rigetti"}
