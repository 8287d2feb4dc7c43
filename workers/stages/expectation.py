"""What a user's own circuit should measure, computed where strangers' circuits are computed."""

from compiler.errors import StateTooLargeError
from compiler.expectation import Expectation
from compiler.verification.program import outcome_distribution, program_state
from games.sources import Source, read_program
from workers.compilation.compiling import source_of
from workers.jobs.journal import note
from workers.sandbox.sandbox import (
    CallDiedError,
    OverdueError,
    TooMuchMemoryError,
    most_bytes,
    shared_sandbox,
)
from workers.stages.context import StageContext
from workers.stages.simulation import attendant

MOST_AMPLITUDES = 1 << 14
"""Of a circuit's state on the way; a report goes through as many outcomes for each of its jobs."""

MOST_SECONDS = 20.0


def expect(context: StageContext) -> None:
    """Find out what a job's circuit should measure, once for all its jobs; games know it.

    Why that is not possible is kept as well.
    """
    session, job, compilation = context.session, context.job, context.job.compiled
    if compilation.expected is not None or not source_of(compilation).is_circuit:
        return
    if job.order is not None and job.order.expected is not None:
        # A worker of an older version has compiled it.
        compilation.expected = job.order.expected
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
            seconds=min(MOST_SECONDS, set_.simulation_seconds),
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
        StateTooLargeError: if its state has more than `MOST_AMPLITUDES`.
    """
    circuit = read_program(source).circuit
    found = outcome_distribution(circuit, program_state(circuit, MOST_AMPLITUDES))
    return Expectation.computed(circuit.num_clbits, found).as_bytes()
