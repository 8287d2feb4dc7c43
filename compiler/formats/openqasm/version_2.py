"""OpenQASM 2, with a program's own gates being what the program says."""

from itertools import pairwise

from qiskit import QuantumCircuit, qasm2

from compiler.errors import CircuitFileError
from compiler.formats.openqasm.tokens import place, tokens

MAX_DIGITS = 18
"""Digits of an index or size in OpenQASM 2, beyond which Qiskit's parser stops the process."""


def read_openqasm_2(text: str) -> QuantumCircuit:
    """Return the circuit of an OpenQASM 2 program.

    Qiskit's gates are known without an include. Those that the program defines are what it says:
    Qiskit takes its own gate of that name instead, whatever the definition.

    Raises:
        CircuitFileError: if it holds too large a number.
        qiskit.qasm2.QASM2ParseError: if it is malformed, or includes another file.
    """
    own = set()
    for before, token in pairwise(tokens(text, 2)):
        if before.text in ("gate", "opaque") and (before.text, token.text) != ("opaque", "delay"):
            own.add(token.text)
        if before.text in ("[", "==") and len(token.text) > MAX_DIGITS:
            raise CircuitFileError(
                f"{place(text, token.start)}: a number of {len(token.text)} digits is too large; "
                "write a smaller one"
            )
    known = [gate for gate in qasm2.LEGACY_CUSTOM_INSTRUCTIONS if gate.name not in own]
    return qasm2.loads(text, include_path=(), custom_instructions=known)
