"""Rewritings that work but once on a circuit."""

from qiskit import QuantumCircuit

from compiler.remembered import KEPT, remembered


def turned(angle):
    circuit = QuantumCircuit(2)
    circuit.rx(angle, 0)
    return circuit


def test_the_same_circuit_is_rewritten_once_for_each_argument():
    asked = []

    @remembered
    def doubled(circuit, times):
        asked.append((circuit.data[0].params[0], times))
        return circuit if times == 1 else circuit.repeat(times)

    assert doubled(turned(0.1), 2) is doubled(turned(0.1), 2)
    doubled(turned(0.1), 3)
    doubled(turned(0.2), 2)
    assert asked == [(0.1, 2), (0.1, 3), (0.2, 2)]
    # What is left as it is stays the very circuit that was given.
    given = turned(0.1)
    assert doubled(given, 1) is given
    again = turned(0.1)
    assert doubled(again, 1) is again
    assert asked[3:] == [(0.1, 1)]
    for angle in range(KEPT):
        doubled(turned(angle), 2)
    doubled(turned(0.2), 2)
    assert asked[-1] == (0.2, 2)
