"""One attempt of a portfolio, lowered and then verified: calls that any process can make."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from time import perf_counter

from attrs import define, evolve, field, frozen
from celery.exceptions import SoftTimeLimitExceeded
from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from compiler.circuit_files import qpy_bytes, read_qpy
from compiler.errors import GameTooLargeError, StateTooLargeError, VerificationError
from compiler.lowering import pipelines
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.figures import Figures, figures
from compiler.lowering.pipeline import Step, refinement, run_passes
from compiler.lowering.portfolio import BUDGET, Attempt
from compiler.measurement import final_measurements, measure_at
from compiler.targets import target_from_spec
from compiler.verification.equivalence import STRICT, verify_equivalent
from compiler.verification.exact import exact_state
from compiler.verification.games import verify_by_games
from compiler.verification.program import (
    Verdict,
    program_state,
    require_lowered,
    require_small,
    verify_lowered,
    verify_program,
)
from compiler.verification.sparse import SparseState
from compiler.workload import Source, Workload, workload


@frozen
class Request:
    """What is to be lowered, and how one attempt goes about it.

    Args:
        source: a game or a circuit.
        encoding: the encoding's name.
        target: a complete spec.
        attempt: synthesis, pipeline and seed.
        objective: what is minimised.
        budget: candidates that a searching pass may look at.
        without: optimisations that are left out.
        any_input: whether the result must hold on any input, not from |0…0⟩ only.
    """

    source: Source
    encoding: str
    target: str
    attempt: Attempt
    objective: str = "two_qubit_gates"
    budget: int = BUDGET
    without: tuple[str, ...] = ()
    any_input: bool = False

    def setting(self) -> Setting:
        """Return what guides the passes."""
        target, attempt = target_from_spec(self.target), self.attempt
        return Setting(
            target,
            attempt.synthesis,
            attempt.seed,
            self.budget,
            self.objective,
            any_input=self.any_input,
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
class Stopwatch:
    """Measures how long each pass takes, and nothing between passes."""

    seconds: list[float] = field(factory=list)

    @contextmanager
    def time(self, _: str) -> Iterator[None]:
        """Measure one pass."""
        started = perf_counter()
        yield
        self.seconds.append(perf_counter() - started)

    def timed(self, steps: Iterable[Step]) -> tuple[Step, ...]:
        """Return the steps that were measured, with their seconds."""
        return tuple(
            evolve(step, seconds=seconds) for step, seconds in zip(steps, self.seconds, strict=True)
        )


def lower(request: Request) -> Native:
    """Make one attempt; a pipeline that fails is a result too."""
    started = perf_counter()
    program = workload(request.source, request.encoding).program
    setting = request.setting()
    try:
        gates, measured = final_measurements(program)
        pipeline = pipelines[request.attempt.pipeline]
        watch = Stopwatch()
        lowered = pipeline.lower(gates, setting, request.without, measured.values(), watch.time)
        native = measure_at(lowered.circuit, lowered.final_layout, program)
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:  # noqa: BLE001 - a pipeline is third-party code and may raise anything
        reason = " ".join(str(error).split()) or type(error).__name__
        return Native(b"", b"", (), (), (), None, perf_counter() - started, reason)
    return Native(
        qpy_bytes(native),
        qpy_bytes(lowered.logical),
        lowered.initial_layout,
        lowered.final_layout,
        watch.timed(lowered.steps),
        figures(native, setting.target),
        perf_counter() - started,
    )


@frozen
class Refinable:
    """A result that is worth more time."""

    request: Request
    native: Native


def refine(given: Refinable) -> Native:
    """Run the passes that take too long for every attempt; a failure leaves what was given."""
    started = perf_counter()
    request, native = given.request, given.native
    program = workload(request.source, request.encoding).program
    setting = request.setting()
    _, measured = final_measurements(program)
    gates, _ = final_measurements(read_qpy(native.native, "native"))
    layouts = native.initial_layout, native.final_layout
    draft = Draft(gates, *layouts, frozenset(measured.values()))
    try:
        watch = Stopwatch()
        better, steps = run_passes(refinement, draft, setting, request.without, watch.time)
        finished = measure_at(better.circuit, better.final_layout, program)
        return evolve(
            native,
            native=qpy_bytes(finished),
            initial_layout=better.initial_layout,
            final_layout=better.final_layout,
            steps=native.steps + watch.timed(steps),
            figures=figures(finished, setting.target),
            seconds=native.seconds + perf_counter() - started,
        )
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:  # noqa: BLE001 - a library may raise anything, and less is lost so
        return evolve(
            native,
            seconds=native.seconds + perf_counter() - started,
            error=f"not refined: {' '.join(str(error).split())}",
        )


@frozen
class Program:
    """A source in one of its encodings."""

    source: Source
    encoding: str


def verify_source(program: Program) -> str:
    """Prove a program against the rules, and return how far it is proven.

    Returns:
        `exact`, `unverified` if it is too large, or `given`: a circuit is its own measure.

    Raises:
        VerificationError: if it is proven wrong.
    """
    work = workload(program.source, program.encoding)
    if work.game is None:
        return "given"
    try:
        require_small(work)
        verify_program(work, program_state(work.program))
    except (StateTooLargeError, GameTooLargeError):
        return "unverified"
    return "exact"


@frozen
class Claim:
    """A native circuit that is said to do what a source does.

    Args:
        request: what was asked for.
        native: the native circuit with its measurements, as QPY.
        logical: the circuit that it was made from, its operators synthesised, as QPY.
        initial_layout: for each program qubit, the physical qubit that holds it at the start.
        final_layout: for each program qubit, the physical qubit that holds it at the end.
    """

    request: Request
    native: bytes
    logical: bytes
    initial_layout: tuple[int, ...]
    final_layout: tuple[int, ...]


def verify(claim: Claim) -> tuple[Verdict, float]:
    """Prove or refute a claim; also return the seconds it took."""
    started = perf_counter()
    try:
        verdict = _verdict(claim)
    except VerificationError as error:
        verdict = Verdict("refuted", str(error))
    except StateTooLargeError as error:
        verdict = Verdict("unverified", str(error))
    return verdict, perf_counter() - started


def _verdict(claim: Claim) -> Verdict:
    """Compare states where they are small enough, else judge single games.

    Where any input was asked for, nothing less is exact.
    """
    request = claim.request
    work = workload(request.source, request.encoding)
    target = target_from_spec(request.target)
    native = read_qpy(claim.native, "native")
    require_lowered(work.program, native, claim.final_layout, target)
    if request.any_input:
        verdict = _on_any_input(claim, work, native, target)
        if work.game is None or verdict.verified == "unverified":
            return verdict
    try:
        reference = _reference(request.source, request.encoding, claim.logical)
        verdict = verify_lowered(work.program, reference, native, claim.final_layout, target)
    except (StateTooLargeError, GameTooLargeError) as error:
        verdict = Verdict("unverified", str(error))
    if verdict.verified == "unverified" and work.game is not None:
        seed = request.attempt.seed
        figures = verify_by_games(work.game, work.encoding, native, seed=seed)
        return Verdict("sampled", figures.text)
    return verdict


def _on_any_input(claim: Claim, work: Workload, native: QuantumCircuit, target: Target) -> Verdict:
    """Compare a native circuit with what it was made from, on any input.

    For a game that is the program with its operators synthesised: these may do anything on
    inputs that the rules do not allow, which differs from one synthesis to the next.
    """
    circuit = work.program if work.game is None else read_qpy(claim.logical, "logical")
    gates, _ = final_measurements(circuit)
    physical, _ = final_measurements(native)
    made = Draft(physical, claim.initial_layout, claim.final_layout)
    return verify_equivalent(gates, made, target, tolerance=STRICT)


@lru_cache(maxsize=64)
def _reference(source: Source, encoding: str, logical: bytes) -> SparseState:
    """Return the state that native circuits must prepare.

    For a game it is that of the program with its operators synthesised, whose branch phases and
    history differ from one synthesis to the next; its outcomes are proven to be distributed as
    the rules say. A circuit is its own measure.
    """
    work = workload(source, encoding)
    require_small(work)
    if work.game is None:
        return program_state(work.program)
    state = exact_state(read_qpy(logical, "logical"))
    verify_program(work, state)
    return state
