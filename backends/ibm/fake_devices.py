"""IBM's fake devices: qiskit-ibm-runtime's local mode, with a device's whole noise model."""

from collections.abc import Mapping
from functools import cache

from qiskit.exceptions import QiskitError

from backends.backend import CircuitJob, LocalBackend
from backends.errors import BackendError
from backends.families import backend
from backends.ibm.capabilities import supported_needs
from backends.ibm.result import counts_of
from compiler.dynamic.needs import Need
from compiler.dynamic.switches import without_switches
from compiler.errors import InputError, MissingExtraError, meant
from compiler.targets.ibm_devices import (
    CURRENT,
    SDK,
    is_snapshot,
    snapshot,
    snapshot_names,
    snapshot_spec,
)


@backend(
    "ibm-fake",
    "ibm-fake:boston or another snapshot: qiskit-ibm-runtime's fake device, "
    "with gate, readout and thermal errors",
    CURRENT,
)
class FakeIBM(LocalBackend):
    """The SDK's own simulation of a device, with the restrictions of the device.

    The noise model of the whole device takes 5 s to set up in each run, and thermal relaxation
    makes it slow: 9 qubits and 80 CZ took 4 s, 17 qubits and 304 CZ 10 minutes.
    """

    def __init__(self, argument: str) -> None:
        if not is_snapshot(argument):
            MissingExtraError.require(SDK)
            raise InputError(
                f"backend 'ibm-fake:{argument}': unknown device; "
                f"{meant(argument, snapshot_names(), 'ibm-fake:')}"
            )
        self.device = argument

    def default_target(self) -> str:
        """Return the device's target."""
        return snapshot_spec(self.device)

    def supports(self) -> frozenset[Need]:
        """Return the device's capabilities; the SDK's simulation has more."""
        return supported_needs(self.device)

    def reads_with_errors(self) -> bool:
        """Return True: the readout errors are simulated."""
        return True

    def accepts(self, target: str) -> bool:
        """Accept the device's own target only."""
        return target == self.default_target()

    def run(self, job: CircuitJob) -> Mapping[int, int]:
        """Return the shots by outcome; see `LocalBackend.run`."""
        from qiskit_ibm_runtime.executor_sampler import Sampler
        from qiskit_ibm_runtime.utils import validate_isa_circuits

        # The SDK takes a seed of 0 for none.
        options = {"simulator": {"seed_simulator": job.seed + 1}}
        try:
            device, circuit = _device(self.device), without_switches(job.circuit)
            validate_isa_circuits([circuit], device.target)
            sampler = Sampler(device, options=options)
            result = sampler.run([circuit], shots=job.shots).result()
        except (QiskitError, ValueError) as error:
            message = " ".join(str(getattr(error, "message", error)).split())
            raise BackendError(f"backend 'ibm-fake:{self.device}': {message}") from error
        data = result[0].data
        samples = {name: data[name].to_bool_array(order="little") for name in data}
        return counts_of(samples, job.circuit)


_device = cache(snapshot)
"""Kept, because a fake device builds its noise model in seconds."""
