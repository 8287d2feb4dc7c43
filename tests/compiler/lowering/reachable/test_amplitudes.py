"""Tables of amplitudes: keys in order, and what can be told of a table before it is made."""

import numpy as np
import pytest
from qiskit.quantum_info import random_unitary

from compiler.lowering.reachable.amplitudes import (
    common_basis,
    grouped,
    has_common_basis,
    sorting,
    spread,
)


@pytest.mark.parametrize("bits", [1, 3, 8, 9, 20, 41, 63, 64])
@pytest.mark.parametrize("size", [0, 1, 2, 100, 3000])
def test_keys_are_sorted_as_by_numpy(bits, size):
    random = np.random.default_rng(bits * size)
    keys = random.integers(0, 2**bits, size, dtype=np.uint64, endpoint=False)
    for some in (keys, np.sort(keys), keys | np.uint64(1 << 63), keys & ~np.uint64(0b1010)):
        assert sorting(some).tolist() == np.argsort(some, kind="stable").tolist()


def made(seed, columns):
    """Return a state of few basis states, a gate on two qubits and what the gate makes of it."""
    random = np.random.default_rng(seed)
    masks = np.array([1 << place for place in random.permutation(columns)[:2]], dtype=np.uint64)
    keys = np.unique(random.integers(0, 2**columns, 12, dtype=np.uint64))
    amplitudes = random.normal(size=len(keys)) + 1j * random.normal(size=len(keys))
    if seed % 3:
        # With one pattern on the pair in all rows, one of its qubits may have a basis of its own.
        rest = np.unique(keys & ~(masks[0] | masks[1]))
        keys = np.concatenate([rest | mask for mask in (np.uint64(0), masks[0])])
        amplitudes = np.concatenate([amplitudes[: len(rest)], (0.5 - 2j) * amplitudes[: len(rest)]])
    gate = random_unitary(4, seed=seed).data
    if seed % 2:
        gate = np.kron(random_unitary(2, seed=seed).data, np.diag([1, 1j]))
    bases, table = grouped(keys, amplitudes, masks)
    return masks, spread(bases, table, np.ascontiguousarray(gate), masks)


@pytest.mark.parametrize("columns", [5, 40])
def test_a_common_basis_is_known_before_the_table_is_made(columns):
    seen = set()
    for seed in range(60):
        masks, (keys, amplitudes) = made(seed, columns)
        for mask in masks:
            _, table = grouped(keys, amplitudes, np.array([mask]))
            _, found = common_basis(table)
            assert has_common_basis(keys, amplitudes, mask) == found
            seen.add(bool(found))
    assert seen == {False, True}
