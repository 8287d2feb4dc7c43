"""Operators against their specification, on every legal input or on random ones."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import sqrt

from qiskit import QuantumCircuit

from compiler.errors import VerificationError
from compiler.synthesis.operator import Operator
from compiler.verification.simulation.sparse import simulate

TOLERANCE = 1e-9

Amplitudes = Mapping[int, complex]


def verify_operator(
    operator: Operator,
    circuit: QuantumCircuit | None = None,
    inputs: Iterable[int] | None = None,
) -> int:
    """Check that a circuit does what an operator specifies, amplitudes included.

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
    exact = operator.exact_phases
    phase: complex | None = None
    reached: dict[int, int] = {}
    tried = 0
    for basis_state in operator.legal_inputs() if inputs is None else inputs:
        expected = operator.action(basis_state)
        got = {
            int.from_bytes(key, "little"): amplitude
            for key, amplitude in simulate(circuit, basis_state).by_basis_state().items()
        }
        if exact:
            phase = _phase(got, expected) if phase is None else phase
            wrong = _wrong_amplitudes(got, expected, phase)
        else:
            wrong = _wrong_probabilities(operator, got, expected)
            wrong |= {
                state for state in got if reached.setdefault(state, basis_state) != basis_state
            }
        if wrong:
            width = 2 * ((circuit.num_qubits + 7) // 8) + 2
            raise VerificationError(
                f"{operator.name}{tuple(operator.params)}: input {basis_state:#0{width}x} "
                f"gives wrong amplitudes on {len(wrong)} basis states"
            )
        tried += 1
    return tried


def _phase(got: Amplitudes, expected: Mapping[int, Fraction]) -> complex:
    anchor = got.get(next(iter(expected)), 0)
    return anchor / abs(anchor) if anchor else 1


def _wrong_amplitudes(
    got: Amplitudes, expected: Mapping[int, Fraction], phase: complex
) -> set[int]:
    return {
        state
        for state in expected.keys() | got.keys()
        if abs(got.get(state, 0) - phase * sqrt(expected.get(state, 0))) > TOLERANCE
    }


def _wrong_probabilities(
    operator: Operator, got: Amplitudes, expected: Mapping[int, Fraction]
) -> set[int]:
    probabilities: defaultdict[int, float] = defaultdict(float)
    for state, amplitude in got.items():
        probabilities[operator.canonical(state)] += abs(amplitude) ** 2
    return {
        state
        for state in expected.keys() | probabilities.keys()
        if abs(probabilities[state] - float(expected.get(state, 0))) > TOLERANCE
    }
