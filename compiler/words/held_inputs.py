"""Inputs for which a result holds, beside the numbers that depend on it."""

ANY_INPUT, FROM_ZERO = "any input", "from |0…0⟩"

COUNTS = (
    "two_qubit_gates", "two_qubit_depth", "depth", "gates", "t_count", "t_count_unmeasured",
    "t_gates", "toffolis", "rotations", "table_rotations", "t_depth", "logical_qubits",
)  # fmt: skip
"""Figures of `compiler.lowering.figures.Figures` that may be smaller from |0…0⟩ only."""


def count_text(count: object, *, from_zero: bool) -> str:
    """Return a count as text, such as `0 (from |0…0⟩)`; other figures and None likewise.

    Args:
        count: of gates or layers; None if there is none.
        from_zero: whether it may hold for circuits that begin with |0…0⟩ only.
    """
    if count is None:
        return "–"
    text = f"{count:.6g}" if isinstance(count, float) else str(count)
    return text + from_zero_suffix(from_zero=from_zero)


def from_zero_suffix(*, from_zero: bool) -> str:
    """Return ` (from |0…0⟩)` for a number that may hold for such circuits only, else nothing."""
    return f" ({FROM_ZERO})" if from_zero else ""
