"""Algorithms that guides to dynamic circuits show, as circuits of our own."""

from collections.abc import Mapping
from math import acos, pi

from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister
from qiskit.circuit.classical import expr

from tests.compiler.dynamic.circuits import teleport
from tests.compiler.dynamic.guide_circuits import Distribution, Guide, on


def parity_ghz(qubits: int = 6) -> QuantumCircuit:
    """Return a GHZ state of Bell pairs: what joins them is measured, mended and used again."""
    joints = range(2, qubits, 2)
    register = ClassicalRegister(len(joints), "m")
    circuit = on(qubits, register, qubits)
    for first in range(0, qubits, 2):
        circuit.h(first)
        circuit.cx(first, first + 1)
    for place, joint in enumerate(joints):
        circuit.cx(joint - 1, joint)
        circuit.measure(joint, register[place])
        circuit.reset(joint)
    for right in range(3, qubits, 2):
        parity = expr.lift(register[0])
        for place in range(1, (right - 1) // 2):
            parity = expr.bit_xor(register[place], parity)
        with circuit.if_test(parity):
            circuit.x(right)
    for joint in joints:
        circuit.cx(joint - 1, joint)
    circuit.measure(range(qubits), circuit.clbits[len(joints) :])
    return circuit


def ghz_shares(qubits: int = 6) -> Distribution:
    """Return the distribution of `parity_ghz`."""
    joints = qubits // 2 - 1
    return {
        f"{bit * qubits}{path:0{joints}b}": 1 / 2 ** (joints + 1)
        for bit in "01"
        for path in range(1 << joints)
    }


def teleported() -> QuantumCircuit:
    """Return a state that is teleported, and there taken back to |0⟩."""
    circuit = on(3, 3)
    circuit.u(0.7, 0.2, 1.1, 0)
    teleport(circuit)
    circuit.u(-0.7, -1.1, -0.2, 2)
    circuit.measure(2, 2)
    return circuit


def iterative_phase() -> QuantumCircuit:
    """Return the phase 5/8 of a gate, bit by bit, the lowest first, with one qubit that reads."""
    circuit = on(2, 3)
    circuit.x(1)
    for step in range(3):
        circuit.reset(0)
        circuit.h(0)
        circuit.cp(2 * pi * 5 / 8 * 2 ** (2 - step), 0, 1)
        for known in range(step):
            with circuit.if_test((circuit.clbits[known], 1)):
                circuit.p(-pi / 2 ** (step - known), 0)
        circuit.h(0)
        circuit.measure(0, step)
    return circuit


def long_range_cx() -> QuantumCircuit:
    """Return a CX from q0 to q5 over a chain of Bell pairs, on |+⟩|0⟩; both are read."""
    circuit = on(6, 4, 2)
    circuit.h(0)
    for left in (1, 3):
        circuit.h(left)
        circuit.cx(left, left + 1)
    circuit.cx(0, 1)
    circuit.cx(2, 3)
    circuit.cx(4, 5)
    circuit.h([2, 4])
    circuit.measure([1, 3, 2, 4], range(4))
    with circuit.if_test(expr.bit_xor(circuit.clbits[0], circuit.clbits[1])):
        circuit.x(5)
    with circuit.if_test(expr.bit_xor(circuit.clbits[2], circuit.clbits[3])):
        circuit.z(0)
    # (|00⟩ + |11⟩)/√2 is |00⟩ after its inverse.
    circuit.cx(0, 5)
    circuit.h(0)
    circuit.measure([0, 5], [4, 5])
    return circuit


def until_success(attempts: int = 3) -> QuantumCircuit:
    """Return a turn by arccos(3/5) about x that succeeds with 5/8, tried again while it fails.

    What it does where it fails is an X, which is undone. The turn is taken back in the end.
    """
    register = ClassicalRegister(2, "tried")
    circuit = on(3, register, 1)

    def attempt() -> None:
        circuit.h([0, 1, 2])
        circuit.ccx(0, 1, 2)
        circuit.s(2)
        circuit.ccx(0, 1, 2)
        circuit.h([0, 1, 2])
        circuit.measure([0, 1], register)

    attempt()
    for _ in range(attempts - 1):
        with circuit.if_test(expr.not_equal(register, 0)):
            circuit.x(2)
            circuit.reset([0, 1])
            attempt()
    with circuit.if_test((register, 0)) as otherwise:
        circuit.rx(-acos(3 / 5), 2)
    with otherwise:
        circuit.x(2)
    circuit.measure(2, 2)
    return circuit


def reused(secret: int = 0b1101) -> QuantumCircuit:
    """Return the hidden string of Bernstein and Vazirani, with one qubit that is used again."""
    circuit = on(2, 4)
    circuit.x(1)
    circuit.h(1)
    for place in range(4):
        circuit.reset(0)
        circuit.h(0)
        if secret >> place & 1:
            circuit.cx(0, 1)
        circuit.h(0)
        circuit.measure(0, place)
    return circuit


ALGORITHMS: Mapping[str, Guide] = {
    "parity GHZ": Guide(parity_ghz, ghz_shares()),
    "teleported": Guide(teleported, {f"0{n:02b}": 1 / 4 for n in range(4)}),
    "iterative phase": Guide(iterative_phase, {"101": 1}),
    "long-range CX": Guide(long_range_cx, {f"00{n:04b}": 1 / 16 for n in range(16)}),
    "until success": Guide(
        until_success,
        {"000": 1 - (3 / 8) ** 3} | {f"0{n:02b}": (3 / 8) ** 3 / 3 for n in (1, 2, 3)},
    ),
    "reused": Guide(reused, {"1101": 1}),
}
