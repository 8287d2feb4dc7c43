"""The calibrated noise of a device, as Aer takes it."""

from functools import lru_cache

from qiskit.transpiler import Target
from qiskit_aer import AerSimulator
from qiskit_aer.noise import NoiseModel
from qiskit_aer.noise import ReadoutError as AerReadoutError

from compiler.targets.calibration import calibrated_spec, calibrated_target
from compiler.targets.readout import readout_errors

KEPT_NOISES = 64
"""Parts of devices whose noise is kept, since suites run many circuits on the same qubits."""


@lru_cache(KEPT_NOISES)
def device_noise(device: str, thermal: bool, qubits: frozenset[int]) -> NoiseModel:
    """Return the noise of a device's calibration snapshot on some of its qubits.

    Gate errors are Aer's own reading of it. Readout errors tell 1 for 0 from 0 for 1, which
    Aer's reading of a target does not.

    Args:
        device: of `DEVICES`, or the spec of one's own.
        thermal: whether qubits relax, too.
        qubits: which have noise; all of a device's take seconds.
    """
    noise = NoiseModel.from_backend(
        AerSimulator(target=_part(device, qubits)), thermal_relaxation=thermal, readout_error=False
    )
    for qubit, error in readout_errors(calibrated_spec(device)).items():
        if qubit in qubits:
            wrong_1, wrong_0 = error.one_for_zero, error.zero_for_one
            confusion = [[1 - wrong_1, wrong_1], [wrong_0, 1 - wrong_0]]
            noise.add_readout_error(AerReadoutError(confusion), [qubit])
    return noise


def _part(device: str, qubits: frozenset[int]) -> Target:
    """Return the gates of a device on some of its qubits, which keep their numbers."""
    whole = calibrated_target(device)
    part = Target(num_qubits=whole.num_qubits, dt=whole.dt, qubit_properties=whole.qubit_properties)
    for name, places in whole.items():
        # What may act anywhere, such as a branch, has no places, and no errors.
        on = (
            None
            if places is None or None in places
            else {at: known for at, known in places.items() if qubits.issuperset(at)}
        )
        part.add_instruction(whole.operation_from_name(name), on, name=name)
    return part
