"""Counts in what IBM's sampler sends."""

import base64
import io
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from backends.backend import CircuitJob
from backends.errors import ResultError
from backends.providers.bounded_json import UNREADABLE, read_result, unreadable

NOTE = "stichwerk"
"""What a circuit is noted with: the key and the digest of its job."""

HEADER_BYTES = 512
"""What NumPy writes before an array's content: 128 bytes, for arrays such as these."""


def counts_in(raw: bytes, job: CircuitJob, key: str) -> Mapping[int, int]:
    """Return the shots by outcome in the JSON of the sampler's result of one circuit.

    The SDK's decoder unpacks whatever it is sent: archives and arrays of any size, circuits, and
    objects of its own modules. Only what a sampler's result is made of is read here.

    Raises:
        ResultError: if it is not such a result, or of another job, circuit or number of shots.
    """
    result = read_result(raw, job)
    try:
        pubs = _value(result, "PrimitiveResult")["pub_results"]
        if not isinstance(pubs, list) or len(pubs) != 1:
            raise ValueError("it is not of one circuit")
        pub = _value(pubs[0], "SamplerPubResult", "PubResult")
        _check_note(pub.get("metadata"), job, key)
        fields = _value(pub["data"], "DataBin")["fields"]
        sizes = {register.name: register.size for register in job.circuit.cregs if register.size}
        if set(fields) != set(sizes):
            raise ValueError("it has other registers than the circuit")
        samples = {name: _samples(fields[name], bits, job.shots) for name, bits in sizes.items()}
        return counts_of(samples, job.circuit)
    except (*UNREADABLE, EOFError, zlib.error) as error:
        raise unreadable(error) from error


def counts_of(
    samples: Mapping[str, NDArray[np.uint8]], circuit: QuantumCircuit
) -> Mapping[int, int]:
    """Return the shots by outcome in the samples of a circuit's registers.

    Args:
        samples: by register, an array (shots, bytes); a shot's bytes hold the highest bit first,
            padded with zeros on the left.
        circuit: whose registers they are; its classical bit i becomes bit i of an outcome.

    Raises:
        ValueError: if padding is not zero, or registers differ in their shots or a shared bit.
    """
    shots = {len(array) for array in samples.values()}
    if len(shots) != 1:
        raise ValueError("the registers differ in their shots")
    joined = np.zeros((shots.pop(), circuit.num_clbits), dtype=np.uint8)
    known: set[int] = set()
    for register in circuit.cregs:
        if not register.size:
            continue
        bits = np.unpackbits(samples[register.name], axis=1)[:, ::-1]
        if bits[:, register.size :].any():
            raise ValueError(f"register {register.name} has bits beyond its {register.size}")
        for column, bit in enumerate(register):
            place = circuit.find_bit(bit).index
            if place in known and (joined[:, place] != bits[:, column]).any():
                raise ValueError(f"register {register.name} contradicts another one")
            joined[:, place] = bits[:, column]
            known.add(place)
    packed = np.packbits(joined, axis=1, bitorder="little")
    outcomes, times = np.unique(packed, axis=0, return_counts=True)
    return {
        int.from_bytes(row.tobytes(), "little"): int(n)
        for row, n in zip(outcomes, times, strict=True)
    }


def _value(said: Any, *types: str) -> dict[str, Any]:
    """Return what an object of one of some types holds."""
    if not isinstance(said, dict) or said.get("__type__") not in types:
        raise ValueError(f"it holds no {types[0]}")
    value = said["__value__"]
    if not isinstance(value, dict):
        raise TypeError(f"its {types[0]} holds nothing")
    return value


def _check_note(metadata: Any, job: CircuitJob, key: str) -> None:
    """Check that a result repeats what its circuit was noted with, if it repeats anything.

    Raises:
        ResultError: if it is of another job.
    """
    noted = metadata.get("circuit_metadata") if isinstance(metadata, dict) else None
    note = noted.get(NOTE) if isinstance(noted, dict) else None
    if note is not None and note != {"key": key, "circuit": job.digest}:
        raise ResultError("IBM's result is of another job: its circuit has not this job's note")


def _samples(said: Any, bits: int, shots: int) -> NDArray[np.uint8]:
    """Return an array (shots, bytes) of a register's samples, unpacked no further than it goes."""
    samples = _value(said, "BitArray")
    if type(samples["num_bits"]) is not int or samples["num_bits"] != bits:
        raise ValueError(f"a register of {bits} bits has {samples['num_bits']}")
    shape = (shots, (bits + 7) // 8)
    array = samples["array"]
    if not isinstance(array, dict) or array.get("__type__") != "ndarray":
        raise ValueError("its samples are no array")
    size = shape[0] * shape[1]
    unpacking = zlib.decompressobj()
    content = unpacking.decompress(
        base64.b64decode(array["__value__"], validate=True), HEADER_BYTES + size + 1
    )
    stream = io.BytesIO(content)
    if npy.read_magic(stream) != (1, 0):
        raise ValueError("its array is of another version of NumPy's format")
    found, is_fortran, dtype = npy.read_array_header_1_0(stream, max_header_size=HEADER_BYTES)
    if dtype != np.uint8 or len(found) != 2 or found[1] != shape[1]:
        raise ValueError(f"its array is {found} of {dtype}")
    if found[0] != shots:
        raise ValueError(f"it has {found[0]} shots, not {shots}")
    samples_only = content[stream.tell() :]
    if len(samples_only) != size or not unpacking.eof or unpacking.unused_data:
        raise ValueError("its array is shorter or longer than it says")
    samples_found = np.frombuffer(samples_only, dtype=np.uint8)
    return samples_found.reshape(shape[::-1]).T if is_fortran else samples_found.reshape(shape)
