"""Inputs and results that IBM keeps of a job: read within bounds, and counts."""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from backends.backend import CircuitJob
from backends.errors import ResultError
from backends.providers.text import UNREADABLE, read_json, read_result, unreadable
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


def counts_in(raw: bytes, job: CircuitJob, key: str, circuits: int) -> Mapping[int, int]:
    """Return the shots by outcome of one circuit in the JSON of the executor's result.

    The SDK's decoder unpacks arrays of any size. Only parts of a sampler's result are read here.

    Raises:
        ResultError: if it is not such a result, or of another job, circuit or number of shots.
    """
    result = read_result(raw, job, circuits)
    try:
        items, notes = result["data"], notes_in(result)
        place = place_of(notes, key, len(items))
        if notes[place : place + 1] not in ([], [None], [{"key": key, "circuit": job.digest}]):
            raise ResultError("IBM's result is of another job: its circuit is another one")
        item = items[place]
        registers = {register.name: register.size for register in job.circuit.cregs}
        results = item["results"]
        if set(results) != {name for name, size in registers.items() if size}:
            raise ValueError("it has other registers than the circuit")
        samples = {name: _samples(results[name], registers[name], job.shots) for name in results}
        return counts_of(samples, job.circuit)
    except (*UNREADABLE, zlib.error) as error:
        raise unreadable(error) from error


def counts_of(
    samples: Mapping[str, NDArray[np.bool_]], circuit: QuantumCircuit
) -> Mapping[int, int]:
    """Return the shots by outcome in the samples of a circuit's registers.

    Args:
        samples: by register, an array (shots, bits), with the register's bit 0 first.
        circuit: whose registers they are; its classical bit i becomes bit i of an outcome.

    Raises:
        ValueError: if registers differ in their shots or a shared bit.
    """
    shots = {len(array) for array in samples.values()}
    if len(shots) != 1:
        raise ValueError("the registers differ in their shots")
    joined = np.zeros((shots.pop(), circuit.num_clbits), dtype=np.bool_)
    read: set[int] = set()
    for register in circuit.cregs:
        for column, bit in enumerate(register):
            place, values = circuit.find_bit(bit).index, samples[register.name][:, column]
            if place in read and (joined[:, place] != values).any():
                raise ValueError(f"register {register.name} contradicts another one")
            joined[:, place] = values
            read.add(place)
    packed = np.packbits(joined, axis=1, bitorder="little")
    outcomes, times = np.unique(packed, axis=0, return_counts=True)
    return {
        int.from_bytes(row.tobytes(), "little"): int(n)
        for row, n in zip(outcomes, times, strict=True)
    }


def _samples(tensor: Any, bits: int, shots: int) -> NDArray[np.bool_]:
    """Return an array (shots, bits) of a register's samples, unpacked no further than it goes.

    Random forms of a circuit have an axis of their own before the shots of each.
    """
    shape = tensor["shape"]
    if not isinstance(shape, list) or not all(type(size) is int and size > 0 for size in shape):
        raise ValueError("its shape is none")
    if len(shape) not in (2, 3) or shape[-1] != bits or prod(shape[:-1]) != shots:
        raise ValueError(f"its samples have the shape {shape}, not {shots} shots of {bits} bits")
    if tensor["dtype"] != "bool":
        raise ValueError(f"its samples are of {tensor['dtype']}")
    size = -(-shots * bits // 8)
    unpacking = zlib.decompressobj()
    content = unpacking.decompress(base64.b64decode(tensor["data"], validate=True), size + 1)
    if len(content) != size or not unpacking.eof or unpacking.unused_data:
        raise ValueError("its array is shorter or longer than it says")
    values = np.unpackbits(np.frombuffer(content, dtype=np.uint8), bitorder="little")
    if values[shots * bits :].any():
        raise ValueError("its array has bits beyond its samples")
    return values[: shots * bits].reshape(shots, bits).astype(np.bool_)
