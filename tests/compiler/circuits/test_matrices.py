"""Products of small matrices, bit by bit those of NumPy."""

import numpy as np
import pytest

from compiler.circuits.matrices import kronecker


@pytest.mark.parametrize("shapes", [((2, 2), (2, 2)), ((2, 1), (8, 3)), ((1, 1), (2, 2))])
def test_every_entry_is_that_of_numpy(shapes):
    random = np.random.default_rng(0)
    high, low = (random.normal(size=shape) - 1j * random.normal(size=shape) for shape in shapes)
    high[0, 0] = -0.0
    assert kronecker(high, low).tobytes() == np.kron(high, low).tobytes()
