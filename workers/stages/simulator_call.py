"""Running a circuit on a simulator, as a call that any process can make."""

from collections.abc import Mapping

from attrs import field, frozen

from backends import CircuitJob, LocalBackend
from backends.run_options import PLAIN, RunOptions, amplified
from compiler.dynamic.pieces import is_dynamic
from compiler.formats.circuit_files import read_qpy
from compiler.targets.device import carried


@frozen
class LocalRun:
    """A circuit to be simulated.

    Args:
        backend: that simulates it.
        native: the circuit, as QPY.
        name: of the program, for messages.
        target: spec of the target it was lowered to.
        shots: how often.
        seed: for the simulator.
        forgetful: see `CircuitJob`; if the circuit only measures at its end.
        most_bytes: memory that there is for it.
        run_options: further options.
    """

    backend: LocalBackend
    native: bytes
    name: str
    target: str = field(converter=carried)
    shots: int
    seed: int
    forgetful: bool
    most_bytes: int
    run_options: RunOptions = PLAIN


def simulate(run: LocalRun) -> Mapping[int, int]:
    """Return the shots by outcome.

    Raises:
        BackendError: if the circuit cannot be run, or is known to need more memory than there is.
    """
    circuit = read_qpy(run.native, run.name)
    forgetful = run.forgetful and not is_dynamic(circuit)
    louder = amplified(circuit, run.run_options.noise)
    job = CircuitJob(
        louder, run.target, run.shots, run.seed, forgetful=forgetful, run_options=run.run_options
    )
    run.backend.check_memory(job, run.most_bytes)
    return run.backend.run(job)
