"""The derivatives by which templates are fitted."""

import numpy as np
import pytest

from compiler.lowering.state_peephole.template import _played, _slopes, _stacked, _turned
from compiler.lowering.state_peephole.window_search import starts

ORDER = np.array([(0, -1), (2, 0), (1, -1), (2, 1), (0, -1), (1, -1), (2, -1)])
"""A CZ on qubits 0 and 2, one on 1 and 2, and a gate on each at the end."""
PHASE, STEP = 0.3, 1e-6


@pytest.mark.parametrize("columns", [1, 3, 8])
def test_slopes_are_the_differences_of_the_error(columns):
    random = np.random.default_rng(columns)
    shape = (2, 8, columns)
    source, goal = random.normal(size=shape) + 1j * random.normal(size=shape)
    gates = starts(2)[0]

    def error(turns):
        """Return what is left after turns of the gates, and a change of the phase."""
        reached = _played(source, _turned(gates, -turns), ORDER)
        return _stacked(reached - np.exp(1j * (PHASE + turns[-1])) * goal)

    units = STEP * np.eye(3 * len(ORDER) + 1)
    differences = [(error(unit) - error(-unit)) / (2 * STEP) for unit in units]
    np.testing.assert_allclose(
        _slopes(source, goal, gates, ORDER, PHASE), differences, rtol=0, atol=1e-8
    )
