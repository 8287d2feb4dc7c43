"""The calibrated noise of a device as Pauli errors after gates and during waits."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import exp, inf

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from qiskit.circuit import CircuitInstruction, Delay
from qiskit.transpiler import Target

from compiler.targets.calibration import calibrated_target

Paulis = tuple[str, ...]
"""I, X, Y or Z for each qubit that an instruction is on."""


@frozen(eq=False)
class PauliChannel:
    """The error channel of an instruction.

    Args:
        errors: all but the identity.
        probabilities: of each; the remainder to 1 is the identity's.
    """

    errors: tuple[Paulis, ...]
    probabilities: NDArray[np.float64]

    @property
    def total(self) -> float:
        """Return the probability that something goes wrong."""
        return float(self.probabilities.sum())

    def draw(self, random: np.random.Generator) -> Paulis:
        """Return an error, given that there is one."""
        at = random.choice(len(self.errors), p=self.probabilities / self.total)
        return self.errors[at]


def channel_of(device: str, item: CircuitInstruction, qubits: Sequence[int]) -> PauliChannel | None:
    """Return the errors of an instruction on physical qubits, None if it has none.

    Args:
        device: of `DEVICES`, or the spec of one's own.
        item: a native gate, or a delay in units of the device's `dt`.
        qubits: that it is on.
    """
    target = calibrated_target(device)
    if isinstance(item.operation, Delay):
        return relaxation(target, qubits[0], item.operation.duration * target.dt)
    places = target[item.name] if item.name in target.operation_names else None
    entry = places.get(tuple(qubits)) if places else None
    return depolarising(len(qubits), entry.error) if entry and entry.error else None


@cache
def depolarising(qubits: int, infidelity: float) -> PauliChannel:
    """Return the depolarising channel of an average gate infidelity.

    All Paulis but the identity have the same probability e·d / ((d − 1)·d²), d = 2ⁿ.
    """
    size = 2**qubits
    errors = tuple(product("IXYZ", repeat=qubits))[1:]
    each = infidelity * size / (size - 1) / size**2
    return PauliChannel(errors, np.full(len(errors), each))


def relaxation(target: Target, qubit: int, seconds: float) -> PauliChannel | None:
    """Return the channel of a wait of a qubit, twirled to Pauli errors.

    They shrink each axis of the Bloch sphere as T1 and T2 do, but pull nothing towards |0⟩
    (arXiv 1305.2021).
    """
    times = target.qubit_properties[qubit]
    slow = times.t1 or inf
    decayed = 1 - exp(-seconds / slow)
    dephased = 1 - exp(-seconds / min(times.t2 or inf, 2 * slow))
    if not dephased:
        return None
    flip = decayed / 4
    return PauliChannel((("X",), ("Y",), ("Z",)), np.array([flip, flip, dephased / 2 - flip]))
