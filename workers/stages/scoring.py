"""Scoring: the raw result is read, and compared with the expected result of the circuit.

The expectation of a user's own circuit is computed in a process that limits memory and time.

Comparison of the program that a provider ran with the circuit that was sent.
"""

from collections import defaultdict
from enum import StrEnum

from qiskit import QuantumCircuit
from qiskit.circuit import Barrier, Delay

from backends import CircuitJob, FailedCircuitError, JobState, ProviderBackend, ResultError
from compiler.circuits.tolerances import SAME_STATE
from compiler.dynamic.pieces import final_part, of_items
from compiler.errors import InputError, StateTooLargeError
from compiler.expectation import Expectation
from compiler.native_digest import program_digest
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
from workers.stages.context import StageContext, attendant

MAX_AMPLITUDES = 1 << 14
"""Amplitudes of a state up to which outcomes are computed; a report reads them for each job."""

MAX_OPERATIONS = 100_000
"""Operations up to which they are: some seconds."""

SYMMETRIC = frozenset({"cp", "cz", "iswap", "rxx", "ryy", "rzz", "swap"})
"""Gates that do not change if their qubits change places."""


class Executed(StrEnum):
    """Result of comparing the program that a provider ran with the one that was sent."""

    IDENTICAL = "identical"
    RENAMED = "identical up to names"
    EQUIVALENT = "proven equivalent"
    DIFFERENT = "different"
    UNVERIFIED = "unverified"


def compare_programs(sent: QuantumCircuit, ran: QuantumCircuit) -> tuple[Executed, str]:
    """Compare two programs by the final values of their classical bits.

    Barriers and delays are left out: a program that lost gates by the loss of a barrier differs in
    its gates. Parameters count to nine digits.

    Args:
        sent: circuit on the device's qubits.
        ran: circuit that the provider ran, whose classical bits are those of `sent`.

    Returns:
        The verdict, and a reason in one line. `RENAMED` means the same gates on other qubits;
        `EQUIVALENT` the same distribution of outcomes from |0…0⟩, computed exactly.
    """
    sent, ran = _bare(sent), _bare(ran)
    if program_digest(sent) == program_digest(ran):
        return Executed.IDENTICAL, "the same operations on the same qubits"
    renamed = _renamed(sent, ran)
    if renamed is not None and program_digest(renamed) == program_digest(sent):
        return Executed.RENAMED, "the same operations on other qubits"
    if len(sent.data) + len(ran.data) > MAX_OPERATIONS:
        return Executed.UNVERIFIED, f"more than {MAX_OPERATIONS:,} operations"
    try:
        wanted, actual = (
            outcome_distribution(circuit, program_state(circuit, MAX_AMPLITUDES))
            for circuit in (sent, ran)
        )
    except StateTooLargeError as error:
        return Executed.UNVERIFIED, f"too large to compare: {error}"
    off = max(
        (abs(wanted.get(bits, 0.0) - actual.get(bits, 0.0)) for bits in {*wanted, *actual}),
        default=0.0,
    )
    if off <= SAME_STATE:
        return Executed.EQUIVALENT, f"{len(wanted):,} outcomes, equal within {off:.1g}"
    return Executed.DIFFERENT, f"the probability of an outcome differs by {off:.3g}"


def _bare(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit without barriers and delays, its symmetric gates with sorted qubits."""
    operations = (
        item.replace(qubits=sorted(item.qubits, key=lambda qubit: circuit.find_bit(qubit).index))
        if item.name in SYMMETRIC
        else item
        for item in circuit.data
        if not isinstance(item.operation, Barrier | Delay)
    )
    return of_items(operations, circuit)


def _renamed(sent: QuantumCircuit, ran: QuantumCircuit) -> QuantumCircuit | None:
    """Return `ran` on the qubits of `sent` that its own stand for; None if these are not clear.

    The search begins with the qubits that the same bits are read from. It follows gates on two
    qubits: the n-th operation of a qubit acts on the same partner in both circuits.
    """
    wanted, actual = final_part(sent)[1], final_part(ran)[1]
    if set(wanted) != set(actual):
        return None
    places = {actual[bit]: qubit for bit, qubit in wanted.items()}
    partners, own_partners = _partners(ran), _partners(sent)
    waiting = list(places)
    while waiting:
        qubit = waiting.pop()
        pairs = zip(partners[qubit], own_partners[places[qubit]], strict=False)
        for theirs, here in pairs:
            if theirs is not None and here is not None and theirs not in places:
                places[theirs] = here
                waiting.append(theirs)
    acted = {ran.find_bit(qubit).index for item in ran.data for qubit in item.qubits}
    if not acted <= set(places) or len(set(places.values())) != len(places):
        return None
    renamed = sent.copy_empty_like()
    for item in ran.data:
        qubits = [sent.qubits[places[ran.find_bit(qubit).index]] for qubit in item.qubits]
        clbits = [sent.clbits[ran.find_bit(clbit).index] for clbit in item.clbits]
        renamed.append(item.operation, qubits, clbits)
    return _bare(renamed)


def _partners(circuit: QuantumCircuit) -> defaultdict[int, list[int | None]]:
    """Return of each qubit the other qubit of each of its operations; None if it is alone."""
    partners: defaultdict[int, list[int | None]] = defaultdict(list)
    for item in circuit.data:
        qubits = [circuit.find_bit(qubit).index for qubit in item.qubits]
        for qubit in qubits:
            partners[qubit].append(next((other for other in qubits if other != qubit), None))
    return partners


MAX_SECONDS = 20.0


def score(context: StageContext) -> bool:
    """Read and score a result; an unreadable one is stored as it came."""
    expect(context)
    session, job, backend = context.session, context.job, context.backend
    # A flush takes SQLite's lock, which all others would wait for until the scores are computed.
    with session.no_autoflush:
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
            reason = f"backend '{job.backend}' brought back {brought} of {job.shots} shots"
            quarantine(session, job, reason)
            return False
        errors = readout_errors(job.target) if backend.reads_with_errors() else {}
        scores = scored(job, errors)
    job.scores.clear()
    session.flush()
    job.scores.extend(scores)
    job.error = None
    move(session, job, State.DONE)
    return False


def _compare(context: StageContext, backend: ProviderBackend, circuit_job: CircuitJob) -> None:
    """Compare the program that a provider ran with the one that was sent."""
    session, job = context.session, context.job
    recompiled = backend.is_recompiled(job.provider_job.raw_result or b"")
    program = job.provider_job.executed_program
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
        note(session, job, f"the provider ran a different program: {detail}")


def expect(context: StageContext) -> None:
    """Compute the expected result of a job's circuit, once for all its jobs; games know it.

    The reason of a failure is stored as well.
    """
    session, job, compilation = context.session, context.job, context.job.compiled
    if compilation.expected is not None or not source_of(compilation).is_circuit:
        return
    if compilation.unscored is None:
        _compute(context)
    if compilation.unscored is not None:
        note(session, job, f"no scores: {compilation.unscored}")


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
            f"the exact distribution of {source.name} is too large to compute ({error}); "
            "specify it with --expect"
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
