"""The inputs that IBM keeps of a job, read within bounds."""

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any

from qiskit import QuantumCircuit

from backends.errors import ResultError
from backends.providers.bounded_json import UNREADABLE, read_json, unreadable
from compiler.errors import InputError
from compiler.formats.circuit_files import read_circuits

NOTE, NOTES = "stichwerk", "notes"
"""Metadata of a circuit: the key and the digest of its job."""

MAX_BYTES = 2**26
"""Bytes of a job's inputs, and of its unpacked circuits."""


def circuits_in(inputs: bytes) -> bytes | None:
    """Return the circuits in a job that IBM describes with its inputs, as JSON, with their notes.

    None if there are none: private jobs keep no inputs.
    """
    job = read_json(inputs, MAX_BYTES)
    try:
        program = job["params"]["quantum_program"]
        return json.dumps({**program["circuits"], NOTES: notes_in(program)}).encode()
    except UNREADABLE:
        return None


def circuit_in(circuits: bytes, key: str) -> QuantumCircuit:
    """Return a job's circuit in a result of `circuits_in`.

    Raises:
        ResultError: if it cannot be read, or has parameters: then IBM ran random forms of it.
    """
    try:
        content = read_json(circuits, MAX_BYTES)
        packed = base64.b64decode(content["b64_data"], validate=True)
        unpacking = zlib.decompressobj()
        unpacked = unpacking.decompress(packed, MAX_BYTES)
        if not unpacking.eof:
            raise ValueError(f"its circuits are longer than {MAX_BYTES} bytes")
        ran = read_circuits(unpacked, "the circuits that IBM ran")
        circuit = ran[place_of(content.get(NOTES) or [], key, len(ran))]
    except (*UNREADABLE, zlib.error, InputError) as error:
        raise unreadable(error) from error
    if circuit.parameters:
        raise ResultError("IBM ran random forms of the circuit, with Pauli twirling")
    return circuit


def notes_in(program: Any) -> list[Any]:
    """Return the notes that a quantum program, or its result, has of its circuits, in their order.

    None of them is there if nothing is repeated.
    """
    passed = program.get("passthrough_data")
    processor = passed.get("post_processor") if isinstance(passed, dict) else None
    noted = processor.get("circuits_metadata") if isinstance(processor, dict) else None
    if not isinstance(noted, list):
        return []
    return [entry.get(NOTE) if isinstance(entry, dict) else None for entry in noted]


def place_of(notes: Sequence[Any], key: str, circuits: int) -> int:
    """Return the place of a job's circuit among some, by their notes.

    Raises:
        ResultError: if none has the key, or more than one.
    """
    if circuits == 1 and notes in ([], [None]):
        return 0
    places = [
        place
        for place, note in enumerate(notes)
        if isinstance(note, dict) and note.get("key") == key
    ]
    if len(notes) != circuits or len(places) != 1:
        raise ResultError("IBM's result is of another job: no circuit has this job's note")
    return places[0]
