"""Decompositions of two-qubit unitaries that survive rounding.

Qiskit's decompositions may refuse a matrix that rounding has taken off the unitary group by
1e-13, which a product of a few thousand gates is. Then the nearest unitary is taken. All others
are decomposed as they are: the searches by chance that follow depend on the last digit.
"""

import numpy as np
from qiskit.exceptions import QiskitError
from qiskit.synthesis import TwoQubitWeylDecomposition
from qiskit.synthesis.two_qubit.two_qubit_decompose import decompose_two_qubit_product_gate

from compiler.circuits.matrices import Matrix, nearest_unitary


def weyl_decomposition(
    unitary: Matrix, *, fidelity: float | None = None
) -> TwoQubitWeylDecomposition:
    """Return U = e^{iφ}·(K1l⊗K1r)·exp(i(a XX + b YY + c ZZ))·(K2l⊗K2r), π/4 ≥ a ≥ b ≥ |c|.

    Args:
        unitary: complex128[4, 4]; the right factors of tensor products are the low bit.
        fidelity: to a special class from which it is taken for one; None for never. By itself
            Qiskit takes an angle of 1e-5 for rounding.
    """
    try:
        return TwoQubitWeylDecomposition(unitary, fidelity=fidelity)
    except QiskitError:
        return TwoQubitWeylDecomposition(nearest_unitary(unitary), fidelity=fidelity)


def local_gates(unitary: Matrix) -> tuple[Matrix, Matrix]:
    """Return the gates on the high and the low qubit of a unitary that is their product.

    Args:
        unitary: complex128[4, 4]; the global phase is in the gate on the high qubit.

    Raises:
        QiskitError: if it is no product of one-qubit gates.
    """
    try:
        high, low, phase = decompose_two_qubit_product_gate(unitary)
    except QiskitError:
        high, low, phase = decompose_two_qubit_product_gate(nearest_unitary(unitary))
    return high * np.exp(1j * phase), low


def tensor_factors(matrix: Matrix, max_error: float) -> tuple[Matrix, Matrix, float] | None:
    """Split a matrix of two qubits into a tensor product.

    Args:
        matrix: shape (2, 2, m, n): rows of the high and the low qubit, then their columns.
        max_error: by how much it may differ from one, as the root of the sum of all squares.

    Returns:
        Shapes (2, m) and (2, n), of norm 1 in each column, and the difference; None if that is
        greater than allowed.
    """
    _, _, m, n = matrix.shape
    split = matrix.transpose(0, 2, 1, 3).reshape(2 * m, 2 * n)
    low = split[int(np.argmax(np.abs(split))) // (2 * n)]
    low = low * (np.sqrt(n) / np.linalg.norm(low))
    error = np.inf
    for _ in range(2):
        # From one row to the best column, and from that to the best row.
        high = split @ low.conj()
        high = high * (np.sqrt(m) / np.linalg.norm(high))
        error = float(np.linalg.norm(split - high[:, None] * low))
        if not max_error < error < 4 * max_error:
            break
        low = high.conj() @ split
        low = low * (np.sqrt(n) / np.linalg.norm(low))
    if not error <= max_error:
        return None
    return high.reshape(2, m), low.reshape(2, n), error
