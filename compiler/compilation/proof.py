"""Programs proven against their judges, and native circuits against their programs."""

from collections.abc import Sequence

from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit import Gate

from compiler.caches import cached
from compiler.circuits.tolerances import APPROXIMATED, SAME_STATE
from compiler.compilation.candidate import Candidate
from compiler.compilation.plan import Plan, resolved
from compiler.dynamic.deferred import Deferred, deferred
from compiler.dynamic.pieces import final_part
from compiler.errors import GameTooLargeError, StateTooLargeError, VerificationError
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.formats.parameter_values import BINDINGS, Values, bound, random_values
from compiler.judge import Judge
from compiler.lowering import pipelines
from compiler.lowering.draft import Clock, Draft
from compiler.measurement import final_measurements
from compiler.program import Program
from compiler.verification.equivalence import (
    random_product,
    verdict_by_structure,
    verify_equivalent,
)
from compiler.verification.operator_proofs.operator_by_operator import (
    CORNERS,
    INPUTS,
    MANY_CORNERS,
    MANY_INPUTS,
    prove_operators,
)
from compiler.verification.program import (
    Verdict,
    compared,
    program_state,
    require_lowered,
    require_measured,
    require_native,
    require_small,
    verify_program,
)
from compiler.verification.reuse import verify_reuse
from compiler.verification.sampled_paths import has_too_many_paths, sampled_verdict
from compiler.verification.simulation.exact import SparseState, exact_state
from compiler.verification.state_distance import distance_verdict, state_distance
from compiler.verification.stretches import by_stretches, has_resets
from compiler.verification.trajectories import RUNS, readouts, sampled_games, verify_runs
from compiler.words.held_inputs import FROM_ZERO

Reference = tuple[Deferred, SparseState]
TooLarge = StateTooLargeError | GameTooLargeError


def prove_program(program: Program) -> str:
    """Prove a program against its judge, and return how far it is proven.

    A circuit that reuses qubits is also proven against its original, gate by gate.

    Returns:
        `exact`, `unverified` if it is too large, or `given`: a circuit is its own measure.

    Raises:
        VerificationError: if it is proven wrong.
    """
    original = program.circuit
    if program.reuse is not None and program.reuse.chains:
        original = program.reuse.original
        verify_reuse(original, program.circuit, program.reuse.chains)
    if program.is_circuit:
        return "given"
    try:
        require_small(program)
        verify_program(program, program_state(original), deferred(original))
    except (StateTooLargeError, GameTooLargeError):
        return "unverified"
    return "exact"


def prove(plan: Plan, clock: Clock, candidate: Candidate) -> Candidate:
    """Return a candidate with the verdict on its circuit."""
    started = clock()
    try:
        parameters = bool(plan.program.circuit.parameters)
        verdict = (_for_all_angles if parameters else _verdict)(plan, candidate)
    except VerificationError as error:
        verdict = Verdict("refuted", str(error))
    except StateTooLargeError as error:
        verdict = Verdict("unverified", str(error))
    return evolve(candidate, verdict=verdict, proof_seconds=clock() - started)


def _for_all_angles(plan: Plan, candidate: Candidate) -> Verdict:
    """Prove a candidate with unbound parameters at random values, the worst verdict of all.

    See `compiler.formats.parameter_values.bound_at_random`.
    """
    native = read_qpy(candidate.native, "native")
    verdicts = []
    for seed in range(BINDINGS):
        program, values = _bound_at_random(plan.program, seed)
        lowered = bound(native, values, strict=False)
        at_values = evolve(candidate, native=qpy_bytes(lowered))
        verdicts.append(_verdict(evolve(plan, program=program), at_values))
    worst = next((each for each in verdicts if each.verified != "exact"), verdicts[0])
    if worst.verified == "unverified":
        return worst
    return evolve(worst, detail=f"{worst.detail}; at {BINDINGS} random bindings, so for all angles")


@cached
def _bound_at_random(program: Program, seed: int) -> tuple[Program, Values]:
    values = random_values(program.circuit, seed)
    return evolve(program, circuit=bound(program.circuit, values), origin=None), values


def _verdict(plan: Plan, candidate: Candidate) -> Verdict:
    """Compare states where they are small enough, else judge single runs.

    Where any input was asked for, nothing less is exact.
    """
    program = plan.program
    target = resolved(plan.target)
    native = read_qpy(candidate.native, "native")
    if has_resets(native) and not plan.dynamic:
        require_native(native, target)
        layouts = candidate.initial_layout, candidate.final_layout
        apart = by_stretches(Draft(native, *layouts))
        native = apart.circuit
        candidate = evolve(
            candidate,
            native=qpy_bytes(native),
            initial_layout=apart.initial_layout,
            final_layout=apart.final_layout,
        )
        require_measured(program.circuit, native, candidate.final_layout)
    else:
        require_lowered(program.circuit, native, candidate.final_layout, target)
    if program.is_circuit and plan.dynamic:
        return _by_paths(plan, candidate, native)
    if plan.options.any_input:
        verdict = verify_equivalent(
            *_gates(plan, candidate, native),
            target,
            approximated=_approximated(program),
            rebuilt=pipelines[candidate.attempt.pipeline].rebuilds,
        )
        if program.is_circuit or verdict.verified == "unverified":
            return verdict
    try:
        source, reference = _reference(program, candidate.logical)
        verdict = compared(
            program.circuit,
            reference,
            native,
            candidate.final_layout,
            source=source,
            approximated=_approximated(program),
        )
    except (StateTooLargeError, GameTooLargeError) as error:
        verdict = Verdict("unverified", str(error))
    if verdict.verified == "unverified" and program.is_circuit:
        return _without_amplitudes(plan, candidate, native, verdict)
    if verdict.verified == "unverified" and program.judge is not None:
        return _by_games(plan, candidate, native, program.judge)
    return verdict


def _without_amplitudes(
    plan: Plan, candidate: Candidate, native: QuantumCircuit, verdict: Verdict
) -> Verdict:
    """Compare a circuit with many amplitudes by its structure, then if it entangles little.

    Args:
        plan: of the compilation.
        candidate: the result.
        native: its circuit.
        verdict: without these comparisons.
    """
    gates, lowered = _gates(plan, candidate, native)
    by_structure = verdict_by_structure(gates, lowered, range(gates.num_qubits))
    if by_structure.verified == "exact":
        return by_structure
    try:
        distance = state_distance(gates, lowered)
    except StateTooLargeError:
        return verdict
    return distance_verdict(distance, FROM_ZERO, _approximated(plan.program))


def _by_games(plan: Plan, candidate: Candidate, native: QuantumCircuit, judge: Judge) -> Verdict:
    """Judge games, which are played operator by operator where barriers separate these.

    Every operator is proven then on all that it meets, by the method `fast` in fewer games.
    """
    seed = candidate.attempt.seed
    quick = plan.options.method == "fast"
    gates, measured = final_measurements(native)
    try:
        proof = prove_operators(
            final_measurements(plan.program.circuit)[0],
            read_qpy(candidate.logical, "logical"),
            Draft(gates, candidate.initial_layout, candidate.final_layout),
            inputs=INPUTS if quick else MANY_INPUTS,
            corners=CORNERS if quick else MANY_CORNERS,
            seed=seed,
        )
    except StateTooLargeError:
        return Verdict("sampled", verify_runs(judge, sampled_games(native, RUNS, seed), seed))
    text = verify_runs(judge, readouts(proof.games, measured), seed)
    return Verdict("sampled", f"{proof.text}; {text}")


def _by_paths(plan: Plan, candidate: Candidate, native: QuantumCircuit) -> Verdict:
    """Compare a circuit that measures on the way on all its paths, or on some of too many.

    Where any input was asked for, both start from a random product state.
    """
    program, layout = plan.program, candidate.final_layout
    original, any_input = program.circuit, plan.options.any_input
    if any_input:
        inputs = random_product(original.num_qubits, seed=0)
        original = _prefixed(original, inputs, range(original.num_qubits))
        native = _prefixed(native, inputs, candidate.initial_layout)
    if not _has_too_many_paths(program):
        try:
            source, state = (
                (None, program_state(original)) if any_input else _reference(program, b"")
            )
            verdict = compared(original, state, native, layout, source=source)
        except StateTooLargeError as error:
            verdict = Verdict("unverified", str(error))
        if verdict.verified == "exact":
            return verdict
    return sampled_verdict(original, native, layout, candidate.attempt.seed)


@cached
def _has_too_many_paths(program: Program) -> bool:
    return has_too_many_paths(program.circuit)


def _approximated(program: Program) -> float:
    """Return how far a result may be off that is not called wrong, though never proven.

    Our own syntheses of a game's operators are right to rounding; Qiskit's passes replace angles
    of some 1e-5 by none, which some circuits have.
    """
    return APPROXIMATED if program.is_circuit else SAME_STATE


def _gates(
    plan: Plan, candidate: Candidate, native: QuantumCircuit
) -> tuple[QuantumCircuit, Draft]:
    """Return the original and its native circuit, without measurements.

    For a game the original is the program with its operators synthesised: these may do anything
    on inputs that the rules do not allow, which differs from one synthesis to the next.
    """
    if plan.program.is_circuit:
        gates, _ = plan.unitary
    else:
        gates, _ = final_measurements(read_qpy(candidate.logical, "logical"))
    physical, _ = final_measurements(native)
    return gates, Draft(physical, candidate.initial_layout, candidate.final_layout)


def _prefixed(
    circuit: QuantumCircuit, gates: Sequence[Gate], qubits: Sequence[int]
) -> QuantumCircuit:
    """Return a circuit that begins with a gate on each of some qubits."""
    prefixed = circuit.copy_empty_like()
    for gate, qubit in zip(gates, qubits, strict=True):
        prefixed.append(gate, [qubit])
    return prefixed.compose(circuit, prefixed.qubits, prefixed.clbits)


def _reference(program: Program, logical: bytes) -> Reference:
    """Return a circuit and its state, which native circuits must prepare.

    For a game it is that of the program with its operators synthesised, whose branch phases and
    history differ from one synthesis to the next; its outcomes are proven to be distributed as
    the rules say. A circuit is its own measure.

    Raises:
        StateTooLargeError: if the state is too large.
        GameTooLargeError: if the game is.
    """
    if isinstance(result := _reference_or_reason(program, logical), tuple):
        return result
    # A new error: the traceback of the cached one would hold the state.
    raise type(result)(*result.args)


@cached
def _reference_or_reason(program: Program, logical: bytes) -> Reference | TooLarge:
    """Return the state that native circuits must prepare, or why it is unknown."""
    try:
        return _prepared(program, logical)
    except (StateTooLargeError, GameTooLargeError) as error:
        return error.with_traceback(None)


def _prepared(program: Program, logical: bytes) -> Reference:
    require_small(program)
    circuit, measured = program.circuit, final_part(program.circuit)[1]
    if not program.is_circuit:
        circuit = program.circuit.copy_empty_like()
        gates = read_qpy(logical, "logical")
        circuit.compose(gates, circuit.qubits, circuit.clbits[: gates.num_clbits], inplace=True)
        for clbit, qubit in measured.items():
            circuit.measure(qubit, clbit)
    source = deferred(circuit, measured)
    state = exact_state(source.circuit)
    if not program.is_circuit:
        verify_program(program, state, source)
    return source, state
