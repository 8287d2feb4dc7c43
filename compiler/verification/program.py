"""Programs against the rules, and lowered circuits against their programs."""

from collections.abc import Mapping
from fractions import Fraction

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from compiler.errors import StateTooLargeError, VerificationError
from compiler.games import Game
from compiler.lowering.methods import lower_operators
from compiler.measurement import final_measurements
from compiler.verification.sparse import SparseState, simulate

TOLERANCE = 1e-9


@frozen
class Verdict:
    """How far a result is proven.

    Args:
        verified: `exact` or `unverified`.
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
    return simulate(unitary)


def synthesised_state(program: QuantumCircuit, method: str) -> SparseState:
    """Return the exact state of a program whose operators are replaced by their synthesis.

    Args:
        program: gates, operators and final measurements.
        method: the synthesis; `literal` operators are simulated by their definition.

    Raises:
        StateTooLargeError: if it has too many amplitudes, or measures on the way.
    """
    unitary, _ = final_measurements(program)
    return simulate(unitary if method == "literal" else lower_operators(unitary, method))


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


def verify_program(game: Game, program: QuantumCircuit, state: SparseState) -> None:
    """Check that a program's outcomes are distributed as the rules say.

    Raises:
        VerificationError: naming the first outcome whose probability is wrong.
    """
    _require_equal(outcome_distribution(program, state), game.exact_distribution())


def _require_equal(got: Mapping[int, float], exact: Mapping[int, Fraction]) -> None:
    for outcome in sorted(got.keys() | exact.keys()):
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
    require_native(native, target)
    _, wanted = final_measurements(program)
    unitary, measured = final_measurements(native)
    if measured != {clbit: final_layout[qubit] for clbit, qubit in wanted.items()}:
        raise VerificationError("the final measurements do not read the program's qubits")
    try:
        state = simulate(unitary)
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


def require_native(circuit: QuantumCircuit, target: Target) -> None:
    """Check that a circuit uses only gates and edges of a target.

    Raises:
        VerificationError: naming the first gate that the target does not have.
    """
    index = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    for item in circuit.data:
        qubits = tuple(index[qubit] for qubit in item.qubits)
        name = item.operation.name
        if name != "barrier" and not target.instruction_supported(name, qubits):
            raise VerificationError(f"gate '{name}' on qubits {qubits} is not native")
