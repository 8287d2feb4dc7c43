"""Counts in the results of IBM's executor."""

import base64
import zlib
from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from backends.backend import CircuitJob
from backends.errors import ResultError
from backends.ibm.inputs import notes_in, place_of
from backends.providers.bounded_json import UNREADABLE, read_result, unreadable


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
