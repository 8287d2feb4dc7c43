"""Tolerances of everything that computes with amplitudes, angles and matrices.

`docs/tolerances.md` lists them with their reasons. An angle that is wrong by 1e-6, the least fault
that must be found, makes a difference of 5e-7.
"""

ROUNDING = 1e-12
"""Rounding of a few operations on numbers of size 1: of entries, angles and probabilities."""

SAME = 1e-9
"""Rounding of thousands of gates: of an amplitude, an angle in radians or a matrix entry."""

NO_AMPLITUDE = 1e-10
"""Amplitudes of a sparse state up to this are rounding; small angles multiply to 1e-9 and less."""

NO_DIRECTION = 1e-9
"""Singular values below this are rounding, not a direction of a support."""

SAME_STATE = 2e-9
"""Norm of the difference of two states, on all paths of measured bits together."""

APPROXIMATED = 3e-5
"""Norm of the difference of states that passes of others, which search numerically, may make."""

DISCARDED = 2e-10
"""Norm of all that is discarded from a matrix product state: a tenth of `SAME_STATE`.

Each time, singular values of the norm `ROUNDING` are discarded at most, and most often of 1e-15.
"""

SAME_OUTPUTS = 1e-8
"""Norm of the difference of the outputs of an operator in a large game.

Double precision and numerical syntheses of others leave 1e-9, however many outputs there are.
"""

NUMERICAL_ZERO = 1e-7
"""Amplitudes up to this are rounding of numerical syntheses."""

SAME_BLOCK = 2e-10
"""Norm of the difference of two blocks, of which a circuit has thousands."""

LOCAL_BLOCK = 10 * SAME_BLOCK
"""Norm of the difference of a gate from the one-qubit gates that it counts as.

It is more, so that no block is taken for a gate that turns by little and waits elsewhere.
"""

SAME_BY_BLOCKS = 2.5e-7
"""Operator norm of the difference of two circuits, all blocks together."""

SAME_BY_ROTATIONS = 1e-6
"""Operator norm of the difference of two circuits, all comparisons of rotations together."""

SAME_ROTATIONS = 1e-7
"""Operator norm of the difference of a few rotations: one angle that is wrong by 1e-6 is found."""

SAME_TURN = 1e-8
"""Angle of a rotation by which a qubit counts as not turned."""

SAME_AXIS = 1e-7
"""Sine or cosine of an angle between axes that count as parallel or perpendicular."""

WRITTEN = 1e-8
"""Difference of an entry of a unitary that is written in CX."""

FITTED = 1e-11
"""Norm of the remaining error of a fitted template."""

NOT_RULED_OUT = 1e-6
"""Error of a bound on templates: far above `FITTED`, so that nothing that could be is ruled out."""

NEAR_CIRCLE = 1e-3
"""Distance from the unit circle of a root that lies on it but for rounding."""

MULTIPLE_ROOT = 1e-4
"""Distance of roots on the unit circle that rounding may have split: by its square or cube root."""

SLIGHT = 1e-5
"""An angle in radians below which passes of others may leave out a gate that is meant."""

CLIFFORD_WEIGHTS = 1e-5
"""Distance of log₂ Σ w⁴ from a whole number, for the weights w of the Paulis of a Clifford gate."""
