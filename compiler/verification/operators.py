"""Operators against their specification, on every legal input."""

from collections.abc import Iterable
from math import sqrt

from qiskit import QuantumCircuit

from compiler.errors import VerificationError
from compiler.operators import Operator
from compiler.verification.sparse import simulate

TOLERANCE = 1e-9


def verify_operator(
    operator: Operator,
    circuit: QuantumCircuit | None = None,
    inputs: Iterable[int] | None = None,
) -> int:
    """Check that a circuit does what an operator specifies, amplitudes included.

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
    phase = None
    tried = 0
    for basis_state in operator.legal_inputs() if inputs is None else inputs:
        expected = {state: sqrt(p) for state, p in operator.action(basis_state).items()}
        state = simulate(circuit, basis_state)
        width = (circuit.num_qubits + 7) // 8
        got = {int.from_bytes(k, "little"): a for k, a in state.by_basis_state().items()}
        if phase is None:
            anchor = got.get(next(iter(expected)), 0)
            phase = anchor / abs(anchor) if anchor else 1
        wrong = {
            state
            for state in expected.keys() | got.keys()
            if abs(got.get(state, 0) - phase * expected.get(state, 0)) > TOLERANCE
        }
        if wrong:
            raise VerificationError(
                f"{operator.name}{tuple(operator.params)}: input {basis_state:#0{2 * width + 2}x} "
                f"gives wrong amplitudes on {len(wrong)} basis states"
            )
        tried += 1
    return tried
