"""Operators against their specification, on every legal input or on random ones."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import tee

from qiskit import QuantumCircuit

from compiler.circuits.tolerances import SAME
from compiler.errors import VerificationError
from compiler.synthesis.method import Operator, methods_of, params_of, predictions, widened
from compiler.verification.operator_proofs.operator_by_operator import Comparison
from compiler.verification.simulation.exact import simulate_each

MAX_GATES = 20_000
"""Predicted two-qubit gates up to which methods are tried."""


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
    comparison, reached, tried = Comparison(""), dict[int, int](), 0
    inputs_, simulated = tee(operator.legal_inputs() if inputs is None else inputs)
    for basis_state, state in zip(inputs_, simulate_each(circuit, simulated), strict=True):
        got, comparison.name = state.by_basis_state(), _shown(operator, basis_state)
        if operator.exact_phases:
            comparison.equal(got, operator.amplitudes(basis_state))
        else:
            comparison.as_probable(operator, got, basis_state)
            if any(reached.setdefault(state, basis_state) != basis_state for state in got):
                raise VerificationError(
                    f"{comparison.name} leads to a basis state that another input leads to"
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
