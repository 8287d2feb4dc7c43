"""Programs against the rules, and lowered circuits against their programs.

Rules of circuits with a computational resonator.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Barrier, ControlFlowOp, Gate, Instruction, Reset
from qiskit.transpiler import Target

from compiler.circuits.amplitude_table import MAX_AMPLITUDES
from compiler.circuits.tolerances import SAME_STATE
from compiler.dynamic.deferred import Deferred, deferred
from compiler.dynamic.pieces import Event, body_of, final_part, is_unitary, pieces_of, walked
from compiler.errors import StateTooLargeError, VerificationError
from compiler.program import Program
from compiler.targets.resonator import has_resonator
from compiler.verification.layouts import require_places
from compiler.verification.paths import Path, compared_paths
from compiler.verification.simulation.exact import SparseState, exact_state


def require_moves(circuit: QuantumCircuit) -> None:
    """Check that the resonator is used as MOVE allows, the resonator being the last qubit.

    A qubit's state moves in while the resonator is empty, and back to the same qubit; nothing
    acts on a qubit whose state is away, nor on the resonator alone or while it is empty; in the
    end the resonator is empty.

    Raises:
        VerificationError: naming the first gate that breaks a rule.
    """
    resonator, away = circuit.num_qubits - 1, None
    for item in circuit.data:
        name = item.operation.name
        qubits = [circuit.find_bit(qubit).index for qubit in item.qubits]
        if name == "barrier":
            continue
        if name == "move":
            if qubits[1] != resonator or away not in (None, qubits[0]):
                raise VerificationError(
                    f"move on {qubits} while the resonator holds the state of {away}"
                )
            away = qubits[0] if away is None else None
        elif away is not None and away in qubits:
            raise VerificationError(f"'{name}' on qubit {away}, whose state is in the resonator")
        elif resonator in qubits and (len(qubits) == 1 or away is None):
            raise VerificationError(f"'{name}' on {qubits} uses an empty resonator, or it alone")
    if away is not None:
        raise VerificationError(f"the state of qubit {away} stays in the resonator")


@frozen
class Verdict:
    """Proof of a result.

    Args:
        verified: `exact`, `sampled` or `unverified`.
        detail: the compared property, or why nothing could be compared.
    """

    verified: str
    detail: str


def program_state(program: QuantumCircuit, max_amplitudes: int = MAX_AMPLITUDES) -> SparseState:
    """Return the exact state that a program prepares, before its final measurements.

    Measurements on the way are deferred: the state's qubits are those of
    `compiler.dynamic.deferred`, the program's own first.

    Args:
        program: gates, measurements, resets and branches.
        max_amplitudes: the most amplitudes that the state may have on the way.

    Raises:
        StateTooLargeError: if it has too many amplitudes.
        InputError: if it branches on something that is not understood.
    """
    return exact_state(deferred(program).circuit, max_amplitudes)


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
    """Return the distribution of a circuit's classical bits at its end.

    Args:
        circuit: where the measurements are read from.
        state: its state before the final ones; see `program_state`.
    """
    return measured_distribution(deferred(circuit), state)


def measured_distribution(circuit: Deferred, state: SparseState) -> dict[int, float]:
    """Return the distribution of the classical bits of a circuit with deferred measurements."""
    measured = circuit.measured
    qubits = list(measured.values())
    distribution = state.probabilities(qubits)
    places = list(measured)
    if places == list(range(len(places))):
        return distribution
    return {
        sum((outcome >> i & 1) << clbit for i, clbit in enumerate(places)): p
        for outcome, p in distribution.items()
    }


def verify_program(program: Program, state: SparseState, source: Deferred | None = None) -> None:
    """Check that a program's outcomes are distributed as its judge says.

    Args:
        program: the program; without a judge nothing is checked.
        state: the state before the program's final measurements.
        source: the circuit that prepares it, if that is not the program's own.

    Raises:
        VerificationError: naming bits that are measured and mean no legal outcome, or the first
            outcome whose probability is wrong, where all that is wrong adds up to more than
            rounding.
        GameTooLargeError: if the judge's distribution cannot be enumerated.
    """
    if program.judge is None:
        return
    exact = program.judge.exact_distribution()
    measured = measured_distribution(source or deferred(program.circuit), state)
    illegal = {bits: p for bits, p in sorted(measured.items()) if program.outcome(bits) is None}
    if sqrt(sum(illegal.values())) > SAME_STATE:
        bits = next((b for b, p in illegal.items() if sqrt(p) > SAME_STATE), next(iter(illegal)))
        raise VerificationError(
            f"measured bits {bits:#b} are illegal and have probability {illegal[bits]:.6g}"
        )
    got = {outcome: p for outcome, p in program.outcomes(measured).items() if outcome is not None}
    if (outcome := first_wrong(got, exact)) is not None:
        p, q = got.get(outcome, 0.0), exact.get(outcome, Fraction(0))
        raise VerificationError(f"outcome {outcome:#b} has probability {p:.6g}, not {q}")


def first_wrong(actual: Mapping[int, float], wanted: Mapping[int, Fraction | float]) -> int | None:
    """Return the first outcome whose probability is wrong.

    None if the roots of all probabilities, which amplitudes could be, are no farther apart in all
    than `SAME_STATE`, else one of those that are by themselves if there is any.
    """
    off = {
        outcome: abs(sqrt(actual.get(outcome, 0.0)) - sqrt(wanted.get(outcome, 0)))
        for outcome in sorted(wanted.keys() | actual.keys())
    }
    if sqrt(sum(by**2 for by in off.values())) <= SAME_STATE:
        return None
    return next(
        (outcome for outcome, by in off.items() if by > SAME_STATE), max(off, key=off.__getitem__)
    )


def verify_lowered(
    program: QuantumCircuit,
    reference: SparseState,
    native: QuantumCircuit,
    final_layout: tuple[int, ...],
    target: Target,
) -> Verdict:
    """Check that a native circuit prepares and measures the same as its program, from |0…0⟩.

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
    return compared(program, reference, native, final_layout)


def compared(
    program: QuantumCircuit,
    reference: SparseState,
    native: QuantumCircuit,
    final_layout: tuple[int, ...],
    *,
    source: Deferred | None = None,
    approximated: float = SAME_STATE,
) -> Verdict:
    """Compare states, path by path; see `verify_lowered`, which checks everything else.

    Args:
        program: the circuit that was lowered.
        reference: the state that it prepares.
        native: the result.
        final_layout: for each program qubit, the physical qubit that holds it at the end.
        source: the circuit that prepares the reference, if that is not the program's own. It
            measures the same bits, but its fresh qubits may follow one another otherwise.
        approximated: how far apart states may be that are not proven, but not called wrong either.

    Returns:
        `exact`, or `unverified` where the state is too large to be compared, or approximated.

    Raises:
        VerificationError: saying how the native circuit is wrong.
    """
    require_places(final_layout, program, native)
    wanted = source or deferred(program)
    actual = deferred(native, final_part(program)[1])
    try:
        state = exact_state(actual.circuit)
        paths = compared_paths((wanted, reference), (actual, state), final_layout)
    except StateTooLargeError as error:
        return Verdict("unverified", str(error))
    deviation = sqrt(sum(path.deviation**2 for path in paths))
    if SAME_STATE < deviation <= approximated:
        return Verdict("unverified", f"the states differ by {deviation:.2g}, more than rounding")
    if not deviation <= SAME_STATE:
        raise VerificationError(_difference(max(paths, key=lambda path: path.deviation)))
    amplitudes = f"{len(reference.amplitudes)} amplitudes equal up to"
    within = f"(off by {deviation:.1g} in all)"
    if not wanted.writes:
        return Verdict("exact", f"{amplitudes} a global phase {within}")
    return Verdict(
        "exact", f"{amplitudes} a phase for each of {len(paths)} paths of measured bits {within}"
    )


def _difference(path: Path) -> str:
    """Return the fault on a path in words."""
    if not path.bits:
        return path.off
    if abs(path.wanted - path.found) > SAME_STATE * path.weight:
        return f"the path {path} has probability {path.found:.6g}, not {path.wanted:.6g}"
    return f"on the path {path} {path.off}"


def require_lowered(
    program: QuantumCircuit, native: QuantumCircuit, final_layout: tuple[int, ...], target: Target
) -> None:
    """Check gates, edges, layout and measurements of a native circuit; see `verify_lowered`.

    Raises:
        VerificationError: with the fault.
    """
    require_native(native, target)
    if has_resonator(target):
        require_moves(final_part(native)[0])
    require_measured(program, native, final_layout)


def require_measured(
    program: QuantumCircuit, native: QuantumCircuit, final_layout: tuple[int, ...]
) -> None:
    """Check layout and measurements of a native circuit; see `verify_lowered`.

    Raises:
        VerificationError: with the fault.
    """
    require_places(final_layout, program, native)
    remaining, wanted = final_part(program)
    lowered, measured = final_part(native, wanted)
    if measured != {clbit: final_layout[qubit] for clbit, qubit in wanted.items()}:
        raise VerificationError("the final measurements do not read the program's qubits")
    if program.num_clbits != native.num_clbits:
        raise VerificationError(
            f"{native.num_clbits} classical bits instead of the program's {program.num_clbits}"
        )
    for clbit, (before, now) in enumerate(zip(_writes(remaining), _writes(lowered), strict=True)):
        if before != now:
            raise VerificationError(f"bit {clbit} is measured {now} times on the way, not {before}")


def _writes(circuit: QuantumCircuit) -> list[int]:
    """Return how often each classical bit is measured on the way, in any branch."""
    if is_unitary(circuit):
        return [0] * circuit.num_clbits
    events = [piece for piece in walked(pieces_of(circuit)) if isinstance(piece, Event)]
    return [sum(event.clbit == i for event in events) for i in range(circuit.num_clbits)]


def require_native(circuit: QuantumCircuit, target: Target) -> None:
    """Check that a circuit uses only gates and edges of a target.

    Raises:
        VerificationError: naming the first gate that the target does not have, or that has but
            the name of one of its gates.
    """
    index = {qubit: place for place, qubit in enumerate(circuit.qubits)}
    native: set[tuple[str, tuple[int, ...]]] = set()
    for item in circuit.data:
        qubits = tuple(index[qubit] for qubit in item.qubits)
        if (item.name, qubits) in native and item.is_standard_gate():
            continue
        gate = item.operation
        if isinstance(gate, ControlFlowOp):
            for block in gate.blocks:
                require_native(body_of(block, circuit, item), target)
            continue
        if isinstance(gate, Barrier | Reset):
            continue
        supported = target.instruction_supported(gate.name, qubits)
        if not supported or not _is_same(gate, target.operation_from_name(gate.name)):
            raise VerificationError(f"gate '{gate.name}' on qubits {qubits} is not native")
        if item.is_standard_gate():
            native.add((item.name, qubits))


def _is_same(gate: Instruction, native: Instruction) -> bool:
    """Return whether a gate is of a native one's class; a file keeps only Qiskit's own classes."""
    return gate.base_class is native.base_class or (
        gate.base_class is Gate
        and native.definition is not None
        and gate.definition == native.definition
    )
