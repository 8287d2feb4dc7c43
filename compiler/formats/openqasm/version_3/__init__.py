"""Semantic analysis of OpenQASM 3: from the syntax tree to a Qiskit circuit."""

from compiler.formats.openqasm.version_3.reader import read_openqasm_3

__all__ = ["read_openqasm_3"]
