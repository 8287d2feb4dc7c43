"""Public circuits that measure on the way: the two of `examples/`, built gate by gate."""

from collections.abc import Callable, Mapping

from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr


def teleported_ghz() -> QuantumCircuit:
    """Return a GHZ state of four qubits in constant depth.

    Three qubits between them are measured as the parities of their neighbours, and every second
    qubit is flipped if those before it say so.
    """
    unequal, out = ClassicalRegister(3, "unequal"), ClassicalRegister(4, "out")
    circuit = QuantumCircuit(QuantumRegister(7, "q"), unequal, out, name="teleported-ghz")
    circuit.h(range(0, 7, 2))
    for link in range(3):
        circuit.cx(2 * link, 2 * link + 1)
        circuit.cx(2 * link + 2, 2 * link + 1)
    for link in range(3):
        circuit.measure(2 * link + 1, unequal[link])
    odd = expr.lift(unequal[0])
    for link in range(3):
        if link:
            odd = expr.bit_xor(odd, unequal[link])
        with circuit.if_test(odd):
            circuit.x(2 * link + 2)
    circuit.measure(range(0, 7, 2), out)
    return circuit


def repetition_code() -> QuantumCircuit:
    """Return a bit in a repetition code of three qubits, through two rounds of errors.

    Both ancillas are measured, reset and used again in each round.
    """
    data, ancilla = QuantumRegister(3, "data"), QuantumRegister(2, "ancilla")
    syndrome, out = ClassicalRegister(2, "syndrome"), ClassicalRegister(3, "out")
    circuit = QuantumCircuit(data, ancilla, syndrome, out, name="repetition-code")
    circuit.ry(1.1, data[0])
    circuit.cx(data[0], data[1])
    circuit.cx(data[0], data[2])
    for turn in range(2):
        circuit.rx(0.3, data[turn])
        for place in range(2):
            circuit.cx(data[place], ancilla[place])
            circuit.cx(data[place + 1], ancilla[place])
        circuit.measure(ancilla, syndrome)
        circuit.reset(ancilla)
        with circuit.switch(syndrome) as case:
            for value, place in ((1, 0), (3, 1), (2, 2)):
                with case(value):
                    circuit.x(data[place])
    circuit.measure(data, out)
    return circuit


DYNAMIC: Mapping[str, Callable[[], QuantumCircuit]] = {
    "teleported-ghz": teleported_ghz,
    "repetition-code": repetition_code,
}
