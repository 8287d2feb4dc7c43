"""Qiskit Aer, ideal or with the noise of an IBM device."""

from collections.abc import Mapping

from qiskit_aer import AerSimulator
from qiskit_aer.aererror import AerError
from qiskit_aer.noise import NoiseModel

from backends.backend import BackendError, CircuitJob, backend
from backends.local import LocalBackend
from compiler.errors import InputError
from compiler.targets.heavy_hex import DEVICES

MAX_QUBITS = 26
"""Active qubits beyond which a state vector no longer fits on a small machine."""

MAX_NOISY_QUBITS = 20
"""Active qubits beyond which noisy shots are faster as matrix product states.

A routed game has few branches and so little entanglement: at 23 qubits and 2,542 CZ a shot took
1 to 4 s instead of 42 s, and the same seed gave the same outcomes.
"""


@backend("aer", "Aer state vector; aer:torino with the device's gate and readout errors")
class AerBackend(LocalBackend):
    """Aer's state vector, or matrix product states without truncation for wide noisy circuits.

    With a device's name, noise is its calibrated depolarising and readout error. Thermal
    relaxation is left out: it takes about ten times as long.
    """

    def __init__(self, device: str) -> None:
        if device and device not in DEVICES:
            raise InputError(
                f"backend 'aer:{device}': unknown device; known: {', '.join(DEVICES)}, "
                "or 'aer' alone for no noise"
            )
        super().__init__()
        self.device = device

    def default_target(self) -> str:
        """Return the device's target, or a fully coupled one without noise."""
        return f"heavy-hex:{self.device}" if self.device else super().default_target()

    def accepts(self, target: str) -> bool:
        """Accept the device's own target only, since errors belong to its gates and edges."""
        return not self.device or target == f"heavy-hex:{self.device}"

    def run(self, job: CircuitJob) -> Mapping[int, int]:
        """Return the shots by outcome; see `LocalBackend`."""
        used = {qubit for item in job.circuit.data for qubit in item.qubits}
        if not self.device and len(used) > MAX_QUBITS:
            raise BackendError(
                f"backend 'aer': {len(used)} active qubits are more than the {MAX_QUBITS} that a "
                "state vector can hold; try 'sparse'"
            )
        noise = (
            NoiseModel.from_backend(DEVICES[self.device](), thermal_relaxation=False)
            if self.device
            else None
        )
        wide = noise is not None and len(used) > MAX_NOISY_QUBITS
        method = "matrix_product_state" if wide else "statevector"
        simulator = AerSimulator(method=method, noise_model=noise)
        try:
            result = simulator.run(job.circuit, shots=job.shots, seed_simulator=job.seed).result()
        except AerError as error:
            raise BackendError(f"backend 'aer': {error}") from error
        if not result.success:
            raise BackendError(f"backend 'aer': {result.status}")
        return {int(key, 16): n for key, n in result.data(0)["counts"].items()}
