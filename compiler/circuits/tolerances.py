"""Tolerances of amplitudes and matrices, with their reasons, as `docs/proofs.md` lists them."""

NO_AMPLITUDE = 1e-9
"""Amplitudes below this are rounding, not states."""

NO_DIRECTION = 1e-8
"""Singular values below this are rounding, not a direction of a support."""

SAME_FRAME = 1e-12
"""Difference up to which the frames of several runs are taken to be one."""
