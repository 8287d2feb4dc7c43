"""Counts in what IBM's sampler sends."""

import json
import zlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.exceptions import QiskitError
from qiskit.primitives import BitArray, PrimitiveResult
from qiskit_ibm_runtime import RuntimeDecoder

from backends.backend import ResultError

UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, EOFError, QiskitError, zlib.error)


def counts_in(raw: bytes, circuit: QuantumCircuit) -> Mapping[int, int]:
    """Return the shots by outcome in the JSON of the sampler's result of one circuit.

    Raises:
        ResultError: if it is not such a result, or not of this circuit.
    """
    try:
        return counts_of(json.loads(raw, cls=RuntimeDecoder), circuit)
    except UNREADABLE as error:
        raise ResultError(
            f"IBM's result cannot be read: {' '.join(str(error).split())[:200]}"
        ) from error


def counts_of(result: object, circuit: QuantumCircuit) -> Mapping[int, int]:
    """Return the shots by outcome in the sampler's result of one circuit.

    Each classical register comes on its own, shot by shot; they are joined into integers whose bit
    i is the circuit's classical bit i.

    Raises:
        TypeError: if it is no result.
        ValueError: if it is not of this circuit.
        LookupError: if a register is missing.
    """
    if not isinstance(result, PrimitiveResult):
        raise TypeError("it holds no samples")
    data = result[0].data
    bits = _joined({register.name: data[register.name] for register in circuit.cregs}, circuit)
    packed = np.packbits(bits, axis=1, bitorder="little")
    outcomes, shots = np.unique(packed, axis=0, return_counts=True)
    return {
        int.from_bytes(row.tobytes(), "little"): int(n)
        for row, n in zip(outcomes, shots, strict=True)
    }


def _joined(registers: Mapping[str, BitArray], circuit: QuantumCircuit) -> NDArray[np.uint8]:
    """Return an array (shots, classical bits) of zeros and ones."""
    sizes = {samples.num_shots for samples in registers.values()}
    if len(sizes) != 1:
        raise ValueError("the registers differ in their shots")
    joined = np.zeros((sizes.pop(), circuit.num_clbits), dtype=np.uint8)
    for register in circuit.cregs:
        samples = registers[register.name]
        if samples.num_bits != register.size:
            raise ValueError(f"register {register.name} has {samples.num_bits} bits")
        # A sample's bytes hold the highest bit first, padded with zeros on the left.
        bits = np.unpackbits(samples.array.reshape(-1, samples.array.shape[-1]), axis=1)
        places = [circuit.find_bit(bit).index for bit in register]
        joined[:, places] = bits[:, ::-1][:, : register.size]
    return joined
