"""Circuits in the forms that methods against noise run."""

from typing import Any

from qiskit import QuantumCircuit

from compiler.errors import InputError

OWN_INVERSE = frozenset({"cz", "cx", "ecr", "swap"})
MAX_TWIRLS = 32


def amplified(circuit: QuantumCircuit, noise: int) -> QuantumCircuit:
    """Return a circuit with each two-qubit gate repeated; the noise grows by about that factor.

    As each is its own inverse, an odd number of them equals one (unitary folding; Giurgica-
    Tiron et al., arXiv:2005.10921).

    Args:
        circuit: native, without branches.
        noise: an odd number; 1 for the circuit as it is.

    Raises:
        InputError: if a gate is not its own inverse.
    """
    if noise == 1:
        return circuit
    folded = circuit.copy_empty_like()
    for item in circuit.data:
        times = noise if _is_two_qubit_gate(item.operation) else 1
        if times > 1 and item.operation.name not in OWN_INVERSE:
            raise InputError(
                f"zne: a '{item.operation.name}' made {noise} times is another gate; take a "
                "target whose two-qubit gate is its own inverse, such as cz"
            )
        for _ in range(times):
            folded.append(item)
    return folded


def twirls(shots: int) -> int:
    """Return in how many random forms a circuit is run: the most that divide its shots, up to 32.

    Raises:
        InputError: if that is only one.
    """
    result = max(n for n in range(1, MAX_TWIRLS + 1) if shots % n == 0)
    if result == 1:
        raise InputError(
            f"shots = {shots}: twirling runs equally many shots of each of up to {MAX_TWIRLS} "
            f"random forms; take a multiple of 10, such as {max(10, round(shots, -1))}"
        )
    return result


def _is_two_qubit_gate(operation: Any) -> bool:
    return operation.num_qubits == 2 and operation.num_clbits == 0 and operation.name != "barrier"
