"""OpenQASM 2, with a program's own gates being what the program says."""

import re

from qiskit import QuantumCircuit, qasm2

_OWN_2 = re.compile(r"\b(gate|opaque)\s+([a-zA-Z_]\w*)")
_COMMENT = re.compile(r"//[^\n]*")


def read_openqasm_2(text: str) -> QuantumCircuit:
    """Return the circuit of an OpenQASM 2 program.

    Qiskit's gates are known without an include. Those that the program defines are what it says:
    Qiskit takes its own gate of that name instead, whatever the definition.

    Raises:
        qiskit.qasm2.QASM2ParseError: if it is malformed, or includes another file.
    """
    own = {
        name
        for kind, name in _OWN_2.findall(_COMMENT.sub(" ", text))
        if (kind, name) != ("opaque", "delay")
    }
    known = [gate for gate in qasm2.LEGACY_CUSTOM_INSTRUCTIONS if gate.name not in own]
    return qasm2.loads(text, include_path=(), custom_instructions=known)
