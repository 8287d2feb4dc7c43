"""Operators against their specification, on every legal input or on random ones."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import tee
from math import sqrt

from qiskit import QuantumCircuit

from compiler.circuits.tolerances import SAME
from compiler.errors import VerificationError
from compiler.synthesis.method import methods_of, params_of, predictions, widened
from compiler.synthesis.operator import Operator
from compiler.verification.simulation.sparse import simulate_each

MAX_GATES = 20_000
"""Predicted two-qubit gates up to which methods are tried."""

Amplitudes = Mapping[int, complex]


def verify_operator(
    operator: Operator, circuit: QuantumCircuit | None = None, inputs: Iterable[int] | None = None
) -> int:
    """Check that a circuit follows an operator's specification, amplitudes included.

    Where phases are exact, so are those between inputs: one phase is free, common to all.

    Where the operator leaves branch phases or history open, the probabilities of canonical
    states are compared, and no two inputs may lead to the same basis state: then, by linearity,
    superpositions of inputs have the right distribution too.

    Args:
        operator: the specification.
        circuit: the implementation on the operator's operands; by default its definition.
        inputs: legal inputs to try; by default all of them.

    Returns:
        The number of inputs that were tried.

    Raises:
        VerificationError: naming the first input on which the circuit is wrong.
    """
    circuit = operator.definition if circuit is None else circuit
    phase: complex | None = None
    reached: dict[int, int] = {}
    tried = 0
    inputs_, simulated = tee(operator.legal_inputs() if inputs is None else inputs)
    for basis_state, state in zip(inputs_, simulate_each(circuit, simulated), strict=True):
        got = state.by_basis_state()
        if operator.exact_phases:
            expected = operator.amplitudes(basis_state)
            phase = _phase(got, expected) if phase is None else phase
            wrong = _wrong_amplitudes(got, expected, phase)
        else:
            wrong = _wrong_probabilities(operator, got, operator.action(basis_state))
            wrong |= {
                state for state in got if reached.setdefault(state, basis_state) != basis_state
            }
        if wrong:
            raise VerificationError(
                f"{_shown(operator, basis_state)} gives wrong amplitudes on {len(wrong)} basis "
                "states"
            )
        tried += 1
    return tried


def verify_methods(operator: Operator, inputs: Iterable[int] | None = None) -> Mapping[str, int]:
    """Check the circuit of every synthesis method of an operator.

    Args:
        operator: the specification.
        inputs: legal inputs to try; by default all of them.

    Returns:
        The number of inputs that were tried, by method: of those that apply and predict at most
        `MAX_GATES` two-qubit gates.

    Raises:
        VerificationError: naming the method and the first input on which it is wrong.
    """
    listed = None if inputs is None else list(inputs)
    tried = {}
    for name, price in predictions(operator).items():
        if price > MAX_GATES:
            continue
        built = methods_of(operator.name)[name].build(*params_of(operator))
        try:
            tried[name] = verify_operator(operator, widened(built, operator.num_qubits), listed)
        except VerificationError as error:
            raise VerificationError(f"method {name}: {error}") from error
    return tried


def verify_specification(operator: Operator) -> int:
    """Check that an operator specifies an isometry: orthonormal outputs for its legal inputs.

    Returns:
        The number of legal inputs.

    Raises:
        VerificationError: naming inputs whose outputs are not normalised, or not orthogonal.
    """
    sources: defaultdict[int, list[tuple[int, complex]]] = defaultdict(list)
    tried = 0
    for basis_state in operator.legal_inputs():
        amplitudes = operator.amplitudes(basis_state)
        if abs(sum(abs(a) ** 2 for a in amplitudes.values()) - 1) > SAME:
            raise VerificationError(f"{_shown(operator, basis_state)} has outputs of another norm")
        for state, amplitude in amplitudes.items():
            sources[state].append((basis_state, amplitude))
        tried += 1
    overlaps: defaultdict[tuple[int, int], complex] = defaultdict(complex)
    for reaching in sources.values():
        for place, (first, left) in enumerate(reaching):
            for second, other in reaching[place + 1 :]:
                overlaps[first, second] += complex(left).conjugate() * other
    for (first, second), overlap in overlaps.items():
        if abs(overlap) > SAME:
            raise VerificationError(
                f"{_shown(operator, first)} and input {second:#x} have outputs that overlap"
            )
    return tried


def _shown(operator: Operator, basis_state: int) -> str:
    width = 2 * ((operator.num_qubits + 7) // 8) + 2
    params = params_of(operator)
    return f"{operator.name}{params}: input {basis_state:#0{width}x}"


def _phase(got: Amplitudes, expected: Amplitudes) -> complex:
    """Return the phase of the largest amplitude, relative to the expected one."""
    anchor = max(expected, key=lambda state: abs(expected[state]))
    ratio = got.get(anchor, 0) / expected[anchor]
    return ratio / abs(ratio) if ratio else 1


def _wrong_amplitudes(got: Amplitudes, expected: Amplitudes, phase: complex) -> set[int]:
    return {
        state
        for state in expected.keys() | got.keys()
        if abs(got.get(state, 0) - phase * expected.get(state, 0)) > SAME
    }


def _wrong_probabilities(
    operator: Operator, got: Amplitudes, expected: Mapping[int, Fraction | float]
) -> set[int]:
    probabilities: defaultdict[int, float] = defaultdict(float)
    for state, amplitude in got.items():
        probabilities[operator.canonical(state)] += abs(amplitude) ** 2
    return {
        state
        for state in expected.keys() | probabilities.keys()
        if abs(sqrt(probabilities[state]) - sqrt(expected.get(state, 0))) > SAME
    }
