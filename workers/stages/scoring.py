"""Scoring: the raw result is read, and compared with what the circuit should measure.

The expectation of a user's own circuit is computed in a process that limits memory and time.
"""

from backends import CircuitJob, FailedCircuitError, JobState, ProviderBackend, ResultError
from compiler.errors import InputError, StateTooLargeError
from compiler.expectation import Expectation
from compiler.targets.readout import readout_errors
from compiler.verification.program import outcome_distribution, program_state
from games.sources import Source, read_program
from workers.compilation.compiling import source_of
from workers.jobs.journal import fail, move, note, quarantine
from workers.jobs.states import State
from workers.sandbox.sandbox import (
    CallDiedError,
    OverdueError,
    TooMuchMemoryError,
    most_bytes,
    shared_sandbox,
)
from workers.scoring import scored
from workers.stages.at_provider.groups import circuit_count
from workers.stages.context import StageContext
from workers.stages.executed import Executed, compare_programs
from workers.stages.simulation import attendant

MAX_AMPLITUDES = 1 << 14
"""Of a circuit's state on the way; a report goes through as many outcomes for each of its jobs."""

MAX_SECONDS = 20.0


def score(context: StageContext) -> bool:
    """Read and score a result; what cannot be read is kept as it came."""
    expect(context)
    session, job, backend = context.session, context.job, context.backend
    raw = job.provider_job.raw_result
    if isinstance(backend, ProviderBackend) and raw is not None:
        circuit_job, circuits = context.circuit_job(), circuit_count(session, job)
        provider_id = job.provider_job.provider_id or ""
        try:
            counts = backend.counts(raw, circuit_job, job.key, provider_id, circuits=circuits)
        except FailedCircuitError as error:
            # Only a new job can bring a result, as if it had been alone.
            job.provider_state = JobState.FAILED
            fail(session, job, f"backend '{job.backend}' failed it: {error}")
            return False
        job.counts = {str(outcome): n for outcome, n in counts.items() if n}
        _compare(context, backend, circuit_job)
    brought = sum((job.counts or {}).values())
    if brought != job.shots:
        quarantine(
            session, job, f"backend '{job.backend}' brought back {brought} of {job.shots} shots"
        )
        return False
    errors = readout_errors(job.target) if backend.reads_with_errors() else {}
    job.scores.clear()
    session.flush()
    job.scores.extend(scored(job, errors))
    job.error = None
    move(session, job, State.DONE)
    return False


def _compare(context: StageContext, backend: ProviderBackend, circuit_job: CircuitJob) -> None:
    """Compare the program that a provider ran with the one that was sent, if it is known."""
    session, job = context.session, context.job
    recompiled = backend.is_recompiled(job.provider_job.raw_result or b"")
    program = job.provider_job.executed_program
    if program is None and not recompiled:
        return
    verdict, detail = Executed.UNVERIFIED, "the provider does not tell the program that it ran"
    try:
        if program is not None:
            ran = backend.executed_circuit(program, circuit_job, job.key)
            verdict, detail = compare_programs(circuit_job.circuit, ran)
    except (ResultError, InputError) as error:
        detail = str(error)
    by = "compiled by the provider; " if recompiled else ""
    job.executed, job.executed_detail = verdict, by + detail
    if verdict is Executed.DIFFERENT:
        note(session, job, job.state, f"the provider ran a different program: {detail}")


def expect(context: StageContext) -> None:
    """Find out what a job's circuit should measure, once for all its jobs; games know it.

    Why that is not possible is kept as well.
    """
    session, job, compilation = context.session, context.job, context.job.compiled
    if compilation.expected is not None or not source_of(compilation).is_circuit:
        return
    if compilation.unscored is None:
        _compute(context)
    if compilation.unscored is not None:
        note(session, job, job.state, f"no scores: {compilation.unscored}")


def _compute(context: StageContext) -> None:
    compilation, set_ = context.job.compiled, context.settings
    source = source_of(compilation)
    # A transaction that is open meanwhile would be taken for one that has been forgotten.
    context.session.commit()
    try:
        compilation.expected = shared_sandbox().call(
            exact_expectation,
            source,
            most_bytes=most_bytes(set_),
            seconds=min(MAX_SECONDS, set_.simulation_seconds),
            attend=attendant(context),
        )
    except (StateTooLargeError, OverdueError, TooMuchMemoryError, CallDiedError) as error:
        compilation.unscored = (
            f"the exact distribution of {source.name} is too much to compute ({error}); "
            "give one with --expect"
        )


def exact_expectation(source: Source) -> bytes:
    """Return the exact distribution of a circuit's outcomes, as `Expectation.as_bytes` writes it.

    Args:
        source: a circuit with measurements.

    Raises:
        StateTooLargeError: if its state has more than `MAX_AMPLITUDES`.
    """
    circuit = read_program(source).circuit
    chances = outcome_distribution(circuit, program_state(circuit, MAX_AMPLITUDES))
    return Expectation.computed(circuit.num_clbits, chances).as_bytes()
