"""Stored circuits, and running them on a simulator as a call that any process can make."""

from collections.abc import Mapping

from attrs import field, frozen

from backends import CircuitJob, LocalBackend
from backends.noise_methods import amplified
from compiler.dynamic.pieces import is_dynamic
from compiler.formats.circuit_files import read_qpy
from compiler.targets.device import carried
from compiler.words.run_options import PLAIN, RunOptions


@frozen
class StoredCircuit:
    """A native circuit as it is stored, and how it is run.

    Args:
        native: the circuit, as QPY.
        name: of the program, for messages.
        target: spec of the target it was lowered to.
        shots: number of shots.
        seed: for simulators.
        sampled: whether its proof is by samples; see `CircuitJob.forgetful`.
        run_options: further options.
    """

    native: bytes
    name: str
    target: str = field(converter=carried)
    shots: int
    seed: int
    sampled: bool = False
    run_options: RunOptions = PLAIN

    @property
    def circuit_job(self) -> CircuitJob:
        """The circuit, read and amplified, as backends run it."""
        circuit = read_qpy(self.native, self.name)
        return CircuitJob(
            amplified(circuit, self.run_options.noise),
            self.target,
            self.shots,
            self.seed,
            forgetful=self.sampled and not is_dynamic(circuit),
            run_options=self.run_options,
        )


def simulate(backend: LocalBackend, stored: StoredCircuit, most_bytes: int) -> Mapping[int, int]:
    """Return the shots by outcome.

    Args:
        backend: a simulator.
        stored: the circuit.
        most_bytes: memory for it.

    Raises:
        BackendError: if the circuit cannot be run, or is known to need more memory than there is.
    """
    job = stored.circuit_job
    backend.check_memory(job, most_bytes)
    return backend.run(job)
