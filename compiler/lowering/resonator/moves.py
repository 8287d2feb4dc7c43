"""What circuits with a computational resonator have to keep to."""

from qiskit import QuantumCircuit

from compiler.errors import VerificationError


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
