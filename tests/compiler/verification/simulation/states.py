"""Dense states, and how they are compared."""

from math import pi

import numpy as np
import pytest
from hypothesis import strategies as st

ANGLES = st.sampled_from([0.0, pi / 2, pi, -pi / 4, 2 * pi]) | st.floats(-7, 7)
TOLERANCE = 1e-9


def dense(state, qubits):
    """Return the vector of a sparse state."""
    vector = np.zeros(1 << qubits, dtype=complex)
    np.add.at(vector, (state.bits.astype(np.int64) << np.arange(qubits)).sum(axis=1),
              state.amplitudes)  # fmt: skip
    return vector


def assert_same_up_to_phase(found, wanted):
    assert np.linalg.norm(found) == pytest.approx(1, abs=TOLERANCE)
    phase = np.vdot(wanted, found)
    assert abs(phase) == pytest.approx(1, abs=TOLERANCE)
    assert np.abs(found - phase * wanted).max() < 1e-8
