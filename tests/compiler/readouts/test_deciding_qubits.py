"""Columns that tell labels apart: they do, none of them can be spared, and dear ones go first."""

import numpy as np
import pytest

from compiler.errors import InputError
from compiler.readouts.fewest import deciding_qubits


def tells(bits, labels, columns):
    said = {}
    return all(
        said.setdefault(tuple(row[list(columns)]), label) == label
        for row, label in zip(bits, labels, strict=True)
    )


@pytest.mark.parametrize("seed", range(20))
def test_they_tell_and_none_can_be_spared(seed):
    rng = np.random.default_rng(seed)
    width = 7
    rows = rng.choice(1 << width, size=int(rng.integers(2, 30)), replace=False)
    bits = (rows[:, None] >> np.arange(width) & 1).astype(bool)
    labels = [int(label) for label in rng.integers(0, 4, len(rows))]
    costs = [float(cost) for cost in rng.uniform(1, 3, width)]
    found = deciding_qubits(bits, labels, costs)
    assert tells(bits, labels, found)
    for column in found:
        assert not tells(bits, labels, [other for other in found if other != column])


def test_of_copies_the_cheapest_stays():
    bits = np.array([[0, 0, 0], [1, 1, 1]], dtype=bool)
    assert deciding_qubits(bits, [0, 1], [3.0, 1.0, 2.0]) == [1]


def test_one_label_needs_no_column():
    assert deciding_qubits(np.eye(3, dtype=bool), [5, 5, 5], [1.0] * 3) == []


def test_equal_rows_of_different_labels_are_refused():
    with pytest.raises(InputError, match="more must be read"):
        deciding_qubits(np.zeros((2, 3), dtype=bool), [0, 1], [1.0] * 3)
