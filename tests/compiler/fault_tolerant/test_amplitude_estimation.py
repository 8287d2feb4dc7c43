"""What amplitude estimation takes, against phase estimation simulated directly."""

from math import asin, pi, sqrt

import numpy as np
import pytest
from scipy.signal.windows import dpss

from compiler.errors import InputError
from compiler.fault_tolerant import LogicalResources, estimation
from compiler.fault_tolerant.amplitude_estimation import iterates, time_bandwidth

PROGRAM = LogicalResources(
    qubits=10, t_gates=100, toffolis=5, rotations=0, table_rotations=0, measurements=3, depth=40
)


def share_within(steps, probability, error):
    """Return how often phase estimation over `steps` powers is off by at most `error`."""
    fine = 64 * steps
    state = dpss(steps, time_bandwidth(0.95) / pi)
    state = state / np.linalg.norm(state)
    phase = 2 * asin(sqrt(probability))
    spectrum = np.abs(np.fft.ifft(state * np.exp(1j * phase * np.arange(steps)), fine)) ** 2
    # The Fourier transform is taken finer than the state, on a longer register.
    found = np.sin(-2 * pi * np.arange(fine) / fine / 2) ** 2
    return spectrum[np.abs(found - probability) <= error].sum() * fine


@pytest.mark.parametrize("probability", [0.5, 0.3])
def test_phase_estimation_keeps_the_error_with_the_confidence(probability):
    error = 0.004
    steps = round(iterates(error, probability, 0.95))
    assert share_within(steps, probability, error) == pytest.approx(0.95, abs=0.01)


def test_half_the_error_takes_twice_the_iterates():
    assert iterates(0.001, 0.5, 0.95) == pytest.approx(2 * iterates(0.002, 0.5, 0.95))


def test_all_parts_add_up():
    found = estimation(PROGRAM, 0.01, 0.5, 0.95)
    assert found.calls == 2 * found.iterates + 1
    assert found.t_per_call == 120
    assert found.toffolis_per_reflection == 17
    assert found.t_gates == 120 * found.calls + 4 * 17 * found.iterates
    assert found.measurements == 3 * found.calls
    assert found.qubits == 10 + found.iterates.bit_length() + 1


@pytest.mark.parametrize(
    ("error", "probability", "confidence", "named"),
    [(0, 0.5, 0.95, "error 0"), (0.1, 1, 0.95, "probability 1"), (0.1, 0.5, 1, "confidence 1")],
)
def test_what_cannot_be_is_refused(error, probability, confidence, named):
    with pytest.raises(InputError, match=named):
        estimation(PROGRAM, error, probability, confidence)
