"""The derivatives by which templates are fitted."""

import numpy as np
import pytest

from compiler.lowering.state_peephole.template import (
    fitted,
    room_for,
    starts,
    write_played,
    write_slopes,
    write_turned,
)

PAIRS = np.array([(0, 2), (1, 2)])
PHASE, STEP = 0.3, 1e-6


def vectors(columns):
    """Two sets of random columns."""
    random = np.random.default_rng(columns)
    shape = (2, 8, columns)
    return random.normal(size=shape) + 1j * random.normal(size=shape)


@pytest.mark.parametrize("columns", [1, 3, 8])
def test_slopes_are_the_differences_of_the_error(columns):
    source, goal = vectors(columns)
    gates = starts(2, 3, 6, 2)[0]
    room = room_for(source, PAIRS)

    def error(turns):
        """Return what is left after turns of the gates, and a change of the phase."""
        write_turned(gates, -turns, 2 * len(PAIRS), room.gates)
        write_played(source, room.gates, PAIRS, room.tried)
        left = (room.tried[-1] - np.exp(1j * (PHASE + turns[-1])) * goal).ravel()
        return np.concatenate([left.real, left.imag])

    units = STEP * np.eye(4 * len(PAIRS) + 3 * 3 + 1)
    differences = [(error(unit) - error(-unit)) / (2 * STEP) for unit in units]
    write_played(source, gates, PAIRS, room.states)
    write_slopes(goal, gates, PAIRS, PHASE, room)
    slopes = room.slopes[:, :-1]
    np.testing.assert_allclose(slopes.T, differences, rtol=0, atol=1e-8)
    np.testing.assert_allclose(room.slopes[:, -1], error(np.zeros(len(units))), atol=1e-12)
    np.testing.assert_allclose(room.products, room.slopes.T @ room.slopes, atol=1e-10)


@pytest.mark.parametrize("columns", [1, 2, 4])
def test_what_a_template_made_is_fitted(columns):
    source, _ = np.linalg.qr(vectors(columns)[0])
    room = room_for(source, PAIRS)
    write_played(source, starts(2, 3, 6, 2)[-1], PAIRS, room.states)
    goal = np.exp(0.4j) * room.states[-1]
    gates = fitted(source, goal, [(0, 2), (1, 2)], starts(2, 3, 6, 2)[:5])
    assert gates is not None
    write_played(source, gates, PAIRS, room.states)
    assert np.linalg.svd(room.states[-1].conj().T @ goal)[1] == pytest.approx(np.ones(columns))


def test_what_no_template_makes_is_not_fitted():
    """A CZ between the other qubits."""
    source = np.eye(8, dtype=complex)
    goal = np.diag([1, 1, 1, -1, 1, 1, 1, -1]).astype(complex)
    assert fitted(source, goal, [(0, 2), (1, 2)], starts(2, 3, 6, 2)) is None
