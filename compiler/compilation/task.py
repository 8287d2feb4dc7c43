"""One attempt of a portfolio, lowered and perhaps refined: calls that any process can make."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from attrs import define, evolve, field, frozen
from qiskit.transpiler import Target

from compiler.compilation.options import Options
from compiler.compilation.plan import resolved
from compiler.dynamic.pieces import final_part, is_dynamic
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.lowering import pipelines
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.figures import Figures, figures, with_t_gates
from compiler.lowering.pipeline import (
    T_COUNT,
    Step,
    may_be_refined,
    refinements,
    run_passes,
)
from compiler.lowering.portfolio import Attempt
from compiler.measurement import final_measurements, measure_at
from compiler.program import Program
from compiler.targets.device import carried_target

Clock = Callable[[], float]
"""Returns seconds since some moment; one that another process can import."""


def no_clock() -> float:
    """Return 0: nobody wants to know how long anything takes."""
    return 0.0


@frozen(eq=False)
class Task:
    """What is to be lowered, and how one attempt goes about it.

    Args:
        program: what is lowered.
        target: a complete spec, or a target.
        options: with nothing left to the program.
        attempt: synthesis, pipeline and seed.
        clock: measures how long it takes.
    """

    program: Program
    target: str | Target = field(converter=carried_target)
    options: Options
    attempt: Attempt
    clock: Clock = no_clock

    def setting(self) -> Setting:
        """Return what guides the passes."""
        options, attempt = self.options, self.attempt
        return Setting(
            resolved(self.target),
            attempt.synthesis,
            attempt.seed,
            options.budget,
            options.objective,
            any_input=bool(options.any_input),
            quick=bool(options.any_input) and options.method == "fast",
        )


@frozen
class Native:
    """What became of an attempt.

    Args:
        native: the native circuit with its measurements, as QPY; empty if it failed.
        logical: the circuit that it was made from, its operators synthesised, as QPY.
        initial_layout: for each program qubit, the physical qubit that holds it at the start.
        final_layout: for each program qubit, the physical qubit that holds it at the end.
        steps: what each pass left.
        figures: of the native circuit.
        seconds: that lowering took.
        error: why it failed, or `""`.
    """

    native: bytes
    logical: bytes
    initial_layout: tuple[int, ...]
    final_layout: tuple[int, ...]
    steps: tuple[Step, ...]
    figures: Figures | None
    seconds: float
    error: str = ""


@define
class _Stopwatch:
    """Measures how long each pass takes, and nothing between passes."""

    clock: Clock
    passes: list[tuple[str, float]] = field(factory=list)

    @contextmanager
    def time(self, name: str) -> Iterator[None]:
        """Measure one pass."""
        started = self.clock()
        yield
        self.passes.append((name, self.clock() - started))

    def timed(self, steps: Iterable[Step]) -> tuple[Step, ...]:
        """Return the steps that were measured, with their seconds."""
        return tuple(
            self._with_seconds(step, seconds)
            for step, (_, seconds) in zip(steps, self.passes, strict=True)
        )

    def totals(self, steps: Iterable[Step]) -> tuple[Step, ...]:
        """Return steps that stand for all passes of a name, with the seconds of all of these."""
        return tuple(
            self._with_seconds(step, sum(took for name, took in self.passes if name == step.name))
            for step in steps
        )

    def _with_seconds(self, step: Step, seconds: float) -> Step:
        return evolve(step, seconds=None if self.clock is no_clock else seconds)


def lower(task: Task) -> Native:
    """Make one attempt; a pipeline that fails is a result too."""
    started = task.clock()
    program, setting = task.program.circuit, task.setting()
    try:
        pipeline = pipelines[task.attempt.pipeline]
        watch = _Stopwatch(task.clock)
        without = task.options.without
        if is_dynamic(program):
            from compiler.lowering.dynamic import lower_dynamic

            lowered = lower_dynamic(pipeline, final_part(program)[0], setting, without, watch.time)
            steps = watch.totals(lowered.steps)
        else:
            gates, measured = final_measurements(program)
            lowered = pipeline.lower(gates, setting, without, measured.values(), watch.time)
            steps = watch.timed(lowered.steps)
        native = measure_at(lowered.circuit, lowered.final_layout, program)
        found = figures(native, setting.target)
        if setting.objective == T_COUNT:
            found = with_t_gates(found, lowered.logical, lowered.circuit)
    except Exception as error:  # noqa: BLE001 - a pipeline is third-party code and may raise anything
        reason = " ".join(str(error).split()) or type(error).__name__
        return Native(b"", b"", (), (), (), None, task.clock() - started, reason)
    return Native(
        qpy_bytes(native),
        qpy_bytes(lowered.logical),
        lowered.initial_layout,
        lowered.final_layout,
        steps,
        found,
        task.clock() - started,
    )


def is_refinable(task: Task) -> bool:
    """Tell whether there is a pass that refines a result, and has not run already."""
    return may_be_refined(pipelines[task.attempt.pipeline], task.setting())


@frozen(eq=False)
class Refinable:
    """A result that is worth more time."""

    task: Task
    native: Native


def refine(given: Refinable) -> Native:
    """Run the passes that take too long for every attempt; a failure leaves what was given."""
    task, native = given.task, given.native
    started = task.clock()
    program, setting = task.program.circuit, task.setting()
    if is_dynamic(program):
        return native
    _, measured = final_measurements(program)
    gates, _ = final_measurements(read_qpy(native.native, "native"))
    layouts = native.initial_layout, native.final_layout
    draft = Draft(gates, *layouts, frozenset(measured.values()))
    try:
        watch = _Stopwatch(task.clock)
        better, steps = run_passes(
            refinements.values(), draft, setting, task.options.without, watch.time
        )
        finished = measure_at(better.circuit, better.final_layout, program)
        return evolve(
            native,
            native=qpy_bytes(finished),
            initial_layout=better.initial_layout,
            final_layout=better.final_layout,
            steps=native.steps + watch.timed(steps),
            figures=figures(finished, setting.target),
            seconds=native.seconds + task.clock() - started,
        )
    except Exception as error:  # noqa: BLE001 - a library may raise anything, and less is lost so
        return evolve(
            native,
            seconds=native.seconds + task.clock() - started,
            error=f"not refined: {' '.join(str(error).split())}",
        )
