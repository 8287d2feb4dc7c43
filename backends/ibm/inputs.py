"""The inputs that IBM keeps of a job, read within bounds."""

import base64
import json
import zlib

from qiskit import QuantumCircuit

from backends.errors import ResultError
from backends.providers.bounded_json import UNREADABLE, read_json, unreadable
from compiler.errors import InputError
from compiler.formats.circuit_files import read_qpy

MAX_BYTES = 2**26
"""Bytes of a job's inputs, and of its unpacked circuits."""


def circuits_in(inputs: bytes) -> bytes | None:
    """Return the circuits in a job that IBM describes with its inputs, as JSON.

    None if there are none: private jobs keep no inputs.
    """
    job = read_json(inputs, MAX_BYTES)
    try:
        return json.dumps(job["params"]["quantum_program"]["circuits"]).encode()
    except UNREADABLE:
        return None


def circuit_in(circuits: bytes) -> QuantumCircuit:
    """Return the one circuit in what `circuits_in` returned.

    Raises:
        ResultError: if it cannot be read, or has parameters: then IBM ran random forms of it.
    """
    try:
        packed = base64.b64decode(read_json(circuits, MAX_BYTES)["b64_data"], validate=True)
        unpacking = zlib.decompressobj()
        content = unpacking.decompress(packed, MAX_BYTES)
        if not unpacking.eof:
            raise ValueError(f"its circuits are longer than {MAX_BYTES} bytes")
        circuit = read_qpy(content, "the circuit that IBM ran")
    except (*UNREADABLE, zlib.error, InputError) as error:
        raise unreadable(error) from error
    if circuit.parameters:
        raise ResultError("IBM ran random forms of the circuit, with Pauli twirling")
    return circuit
