"""Programs against the rules, and lowered circuits against their programs."""

from fractions import Fraction

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Barrier, Gate, Instruction
from qiskit.transpiler import Target

from compiler.errors import StateTooLargeError, VerificationError
from compiler.lowering.resonator.moves import require_moves
from compiler.measurement import final_measurements
from compiler.program import Program
from compiler.targets.resonator import has_resonator
from compiler.verification.simulation.exact import exact_state
from compiler.verification.simulation.sparse import MAX_AMPLITUDES, SparseState

TOLERANCE = 1e-9


@frozen
class Verdict:
    """How far a result is proven.

    Args:
        verified: `exact`, `sampled` or `unverified`.
        detail: what was compared, or why nothing could be.
    """

    verified: str
    detail: str


def program_state(program: QuantumCircuit) -> SparseState:
    """Return the exact state that a program prepares, before its final measurements.

    Raises:
        StateTooLargeError: if it has too many amplitudes, or measures on the way.
    """
    unitary, _ = final_measurements(program)
    return exact_state(unitary)


def require_small(program: Program) -> None:
    """Refuse programs that end in more branches than an exact state may have amplitudes.

    Raises:
        StateTooLargeError: if a state of the program is hopeless.
    """
    branches = 1 if program.judge is None else program.judge.branches
    if branches > MAX_AMPLITUDES:
        raise StateTooLargeError(
            f"{branches:,} branches are more than the {MAX_AMPLITUDES:,} amplitudes that an exact "
            "state may have"
        )


def outcome_distribution(circuit: QuantumCircuit, state: SparseState) -> dict[int, float]:
    """Return the distribution of a circuit's classical bits when `state` is measured.

    Args:
        circuit: where the final measurements are read from.
        state: the state before them.
    """
    _, measured = final_measurements(circuit)
    qubits = list(measured.values())
    distribution = state.probabilities(qubits)
    places = list(measured)
    if places == list(range(len(places))):
        return distribution
    return {
        sum((outcome >> i & 1) << clbit for i, clbit in enumerate(places)): p
        for outcome, p in distribution.items()
    }


def verify_program(program: Program, state: SparseState) -> None:
    """Check that a program's outcomes are distributed as its judge says.

    Args:
        program: the program; without a judge nothing is checked.
        state: the state before the program's final measurements.

    Raises:
        VerificationError: naming bits that are measured and mean no legal outcome, or the first
            outcome whose probability is wrong.
        GameTooLargeError: if the judge's distribution cannot be enumerated.
    """
    if program.judge is None:
        return
    exact = program.judge.exact_distribution()
    measured = outcome_distribution(program.circuit, state)
    for bits, p in sorted(measured.items()):
        if p > TOLERANCE and program.outcome(bits) is None:
            raise VerificationError(
                f"measured bits {bits:#b} are illegal and have probability {p:.6g}"
            )
    got = {outcome: p for outcome, p in program.outcomes(measured).items() if outcome is not None}
    for outcome in sorted(exact.keys() | got.keys()):
        p, q = got.get(outcome, 0.0), exact.get(outcome, Fraction(0))
        if abs(p - float(q)) > TOLERANCE:
            raise VerificationError(f"outcome {outcome:#b} has probability {p:.6g}, not {q}")


def verify_lowered(
    program: QuantumCircuit,
    reference: SparseState,
    native: QuantumCircuit,
    final_layout: tuple[int, ...],
    target: Target,
) -> Verdict:
    """Check that a native circuit prepares and measures what its program does, from |0…0⟩.

    Args:
        program: the circuit that was lowered, with its final measurements.
        reference: the state the program prepares with the synthesis that was used.
        native: the result, on the target's qubits, with final measurements.
        final_layout: for each program qubit, the physical qubit that holds it at the end.
        target: whose gates and edges `native` may use.

    Returns:
        `exact`, or `unverified` where the state is too large to be compared.

    Raises:
        VerificationError: saying how the native circuit is wrong.
    """
    require_lowered(program, native, final_layout, target)
    unitary, _ = final_measurements(native)
    try:
        state = exact_state(unitary)
    except StateTooLargeError as error:
        return Verdict("unverified", str(error))
    overlap = _overlap(reference, state, final_layout)
    if abs(overlap - 1) > TOLERANCE:
        raise VerificationError(f"the state's fidelity to the program's is {overlap:.9f}, not 1")
    return Verdict("exact", f"{len(reference.amplitudes)} amplitudes equal up to a global phase")


def _overlap(reference: SparseState, state: SparseState, final_layout: tuple[int, ...]) -> float:
    """Return |⟨reference|state⟩|², program qubit i being physical qubit `final_layout[i]`."""
    idle = [q for q in range(state.bits.shape[1]) if q not in set(final_layout)]
    clean = ~state.bits[:, idle].any(axis=1)
    aligned = SparseState(state.bits[clean][:, list(final_layout)], state.amplitudes[clean])
    amplitudes = aligned.by_basis_state()
    inner = sum(
        a.conjugate() * amplitudes.get(key, 0) for key, a in reference.by_basis_state().items()
    )
    return abs(inner) ** 2


def require_lowered(
    program: QuantumCircuit, native: QuantumCircuit, final_layout: tuple[int, ...], target: Target
) -> None:
    """Check gates, edges and measurements of a native circuit; see `verify_lowered`.

    Raises:
        VerificationError: saying what is wrong.
    """
    require_native(native, target)
    if has_resonator(target):
        require_moves(final_measurements(native)[0])
    _, wanted = final_measurements(program)
    _, measured = final_measurements(native)
    if measured != {clbit: final_layout[qubit] for clbit, qubit in wanted.items()}:
        raise VerificationError("the final measurements do not read the program's qubits")


def require_native(circuit: QuantumCircuit, target: Target) -> None:
    """Check that a circuit uses only gates and edges of a target.

    Raises:
        VerificationError: naming the first gate that the target does not have, or that has but
            the name of one of its gates.
    """
    index = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    for item in circuit.data:
        qubits = tuple(index[qubit] for qubit in item.qubits)
        gate = item.operation
        if isinstance(gate, Barrier):
            continue
        supported = target.instruction_supported(gate.name, qubits)
        if not supported or not _is_same(gate, target.operation_from_name(gate.name)):
            raise VerificationError(f"gate '{gate.name}' on qubits {qubits} is not native")


def _is_same(gate: Instruction, native: Instruction) -> bool:
    """Tell whether a gate is of a native one's class; a file keeps only Qiskit's own classes."""
    return gate.base_class is native.base_class or (
        gate.base_class is Gate
        and native.definition is not None
        and gate.definition == native.definition
    )
