"""The errors that Braket tells of IQM's devices, out of their standardized properties."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backends.braket.program import FIRST_LABEL
from backends.calibration import Use
from compiler.scores.run_comparison import READOUT

GATES = {"prx": "r", "cz": "cz"}
"""What Qiskit calls IQM's gates."""

BENCHMARKS = ("RANDOMIZED_BENCHMARKING", "SIMULTANEOUS_RANDOMIZED_BENCHMARKING")
"""How fidelities of PRX are measured; the first one that is told counts, as in the SDK's own
`LocalEmulator`."""


def told_errors(capabilities: Any) -> Mapping[Use, float]:
    """Return the infidelities of gates and readouts that are told.

    Args:
        capabilities: of the device, as the SDK reads them.
    """
    standardized = capabilities.standardized
    if standardized is None:
        return {}
    return {
        **dict(_of_qubits(standardized.oneQubitProperties)),
        **dict(_of_couplers(standardized.twoQubitProperties)),
    }


def _of_qubits(told: Mapping[str, Any]) -> Iterator[tuple[Use, float]]:
    for label, properties in told.items():
        for on in _qubits(label, 1):
            known = {one.fidelityType.name: one.fidelity for one in properties.oneQubitFidelity}
            if READOUT.upper() in known:
                yield (READOUT, on), 1 - known[READOUT.upper()]
            gate = next((known[name] for name in BENCHMARKS if name in known), None)
            if gate is not None:
                yield (GATES["prx"], on), 1 - gate


def _of_couplers(told: Mapping[str, Any]) -> Iterator[tuple[Use, float]]:
    for label, properties in told.items():
        for on in _qubits(label, 2):
            for one in properties.twoQubitGateFidelity:
                name = one.gateName.lower()
                if name in GATES:
                    yield (GATES[name], on), 1 - one.fidelity


def _qubits(label: str, number: int) -> Sequence[tuple[int, ...]]:
    """Return the qubits of our targets that a label such as `3` or `3-4` names, if it does."""
    parts = label.split("-")
    if len(parts) != number or not all(one.isascii() and one.isdigit() for one in parts):
        return ()
    return (tuple(sorted(int(one) - FIRST_LABEL for one in parts)),)
