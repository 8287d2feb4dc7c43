"""Short description of the differences between two compilations by the same method."""

from collections.abc import Collection, Iterator

from attrs import fields

from compiler.compilation import Options
from compiler.lowering.pipeline import passes_from_zero

USUAL_OBJECTIVE = fields(Options).objective.default


def variant(
    objective: str, without: Collection[str], *, any_input: bool, reuse_qubits: bool
) -> str:
    """Return the options of a compilation that are not the default; empty if there are none.

    One word stands for all passes that use the known input.

    Args:
        objective: of the compilation.
        without: optimisations that were left out.
        any_input: whether the result holds on any input.
        reuse_qubits: whether qubits are used again.
    """
    parts = _parts(objective, set(without), any_input=any_input)
    return ", ".join([*parts, *["re-used qubits"] * reuse_qubits])


def _parts(objective: str, left_out: set[str], *, any_input: bool) -> Iterator[str]:
    from_zero = set(passes_from_zero())
    if objective != USUAL_OBJECTIVE:
        yield objective
    if any_input:
        yield "any input"
    elif from_zero <= left_out:
        yield "without from-zero"
    if from_zero <= left_out:
        left_out = left_out - from_zero
    yield from (f"without {name}" for name in sorted(left_out))
