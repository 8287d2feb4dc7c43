"""An oracle for estimators: amplified programs, compiled, proven and run on a backend."""

from collections.abc import Callable, Mapping

from attrs import define, field

from backends import BackendError, LocalBackend, backend_from_spec
from compiler.amplification.counting import counting_program
from compiler.amplification.iterate import Amplification
from compiler.compilation import Compiled, Options, compile
from compiler.errors import InputError
from compiler.program import Program
from compiler.words.held_inputs import from_zero_suffix
from compiler.words.plurals import how_many
from workers.sandbox.sandbox import OverdueError, SandboxError, most_bytes, shared_sandbox
from workers.settings import PREFIX, settings
from workers.stages.simulator_call import StoredCircuit, simulate


def local_backend(spec: str) -> LocalBackend:
    """Return a simulator.

    Raises:
        InputError: if a backend is somebody else's machine.
    """
    machine = backend_from_spec(spec)
    if not isinstance(machine, LocalBackend):
        raise InputError(
            f"backend '{spec}': an estimate asks round after round, which simulators of this "
            "machine answer only; take one of aer, sparse, or aer:torino for a device's noise, or "
            "hand it to the workers with --queue"
        )
    return machine


@define(eq=False)
class BackendOracle:
    """Answers how often an amplified event happens, by compiling and running circuits.

    Args:
        amplification: what is run.
        backend: spec of a simulator.
        target: spec of what circuits are lowered to.
        options: how.
        seed: of the first run; each has its own.
        say: hears of what is done.
    """

    amplification: Amplification
    backend: str
    target: str
    options: Options
    seed: int = 0
    say: Callable[[str], None] = lambda _: None
    compiled: dict[int, Compiled] = field(factory=dict, init=False)
    _runs: int = field(default=0, init=False)

    def __call__(self, iterates: int, shots: int) -> int:
        """Return in how many shots the event happens; see `compiler.estimation.Oracle`.

        Raises:
            BackendError: if a circuit cannot be run.
        """
        event = self.amplification.event
        counts = self.measured(iterates, shots)
        hits = sum(n for measured, n in counts.items() if event.happens(measured))
        self.say(f"{how_many(iterates, 'iterate')}: {hits} of {how_many(shots, 'shot')}")
        return hits

    def circuit(self, iterates: int) -> Compiled:
        """Return the compiled program with so many iterates."""
        if iterates not in self.compiled:
            found = self._compiled(self.amplification.program(iterates))
            self.say(
                f"{how_many(iterates, 'iterate')}: "
                f"{how_many(found.figures.two_qubit_gates, 'two-qubit gate')}"
                f"{from_zero_suffix(from_zero=found.from_zero)}, {found.verified}"
            )
            self.compiled[iterates] = found
        return self.compiled[iterates]

    def measured(self, iterates: int, shots: int) -> Mapping[int, int]:
        """Return shots by measured bits of the program with so many iterates.

        Raises:
            BackendError: if a circuit cannot be run.
        """
        return self._run(self.circuit(iterates), shots)

    def count(self, bits: int, shots: int) -> Mapping[int, int]:
        """Return shots by outcome of the circuit that measures the iterate's phase."""
        found = self._compiled(counting_program(self.amplification, bits))
        gates = how_many(found.figures.two_qubit_gates, "two-qubit gate")
        gates += from_zero_suffix(from_zero=found.from_zero)
        phase = how_many(bits, "bit of phase", "bits of phase")
        self.say(f"{phase}: {gates}, {found.verified}")
        return self._run(found, shots)

    def _compiled(self, program: Program) -> Compiled:
        return compile(program, self.target, self.options)

    def _run(self, compiled: Compiled, shots: int) -> Mapping[int, int]:
        set_, seed = settings(), self.seed + self._runs
        self._runs += 1
        limit = most_bytes(set_)
        native, name = compiled.chosen.native, compiled.program.name
        stored = StoredCircuit(native, name, self.target, shots, seed)
        try:
            return shared_sandbox().call(
                simulate,
                local_backend(self.backend),
                stored,
                limit,
                most_bytes=limit,
                seconds=set_.simulation_seconds,
                attend=lambda: None,
            )
        except OverdueError:
            raise BackendError(
                f"backend '{self.backend}': a circuit takes longer than "
                f"{set_.simulation_seconds} s; take fewer shots or iterates, or allow more "
                f"{PREFIX}SIMULATION_SECONDS"
            ) from None
        except SandboxError as error:
            raise BackendError(f"backend '{self.backend}': {error}") from error
