"""Circuits with too many paths of measured bits for all of them: some are drawn and compared."""

from collections.abc import Mapping, Sequence

from qiskit import QuantumCircuit

from compiler.circuits.tolerances import SAME_STATE
from compiler.dynamic.pieces import final_part
from compiler.errors import StateTooLargeError, VerificationError
from compiler.verification.layouts import require_places
from compiler.verification.paths import MAX_PATHS, Path, PathTable, apart
from compiler.verification.program import Verdict
from compiler.verification.simulation.path_runs import (
    PathEnd,
    drawn_paths,
    estimated_paths,
    followed_paths,
)

PATHS = 200
"""Paths that are drawn."""

MAX_WORK = 1 << 28
"""Limit of all paths together in the program, in amplitudes times gates: some minutes."""

MAX_STORED_AMPLITUDES = 1 << 22
"""Amplitudes of all paths together."""


HOPELESS = 4 * MAX_PATHS
"""Number of paths above which they are not all compared; the number is an estimate."""


def has_too_many_paths(program: QuantumCircuit) -> bool:
    """Return whether a circuit has far more paths than are compared one by one."""
    remaining, _ = final_part(program)
    try:
        return estimated_paths(remaining) > HOPELESS
    except StateTooLargeError:
        return False


def sampled_verdict(
    program: QuantumCircuit, native: QuantumCircuit, final_layout: Sequence[int], seed: int = 0
) -> Verdict:
    """Compare a native circuit with its program on paths that are drawn at random.

    Paths are drawn by the program's exact probabilities, and followed through both circuits. On
    each the native circuit must have the program's probability, and leave its state up to the
    layout and one phase. Fewer paths are drawn where each takes long.

    Args:
        program: the circuit that was lowered, with its final measurements.
        native: the result; see `compiler.verification.program.require_lowered`.
        final_layout: for each program qubit, the physical qubit that holds it at the end.
        seed: of the draws.

    Returns:
        `sampled`, with the number of paths and the probability that they have together.

    Raises:
        VerificationError: saying on which path the native circuit is wrong.
        StateTooLargeError: if the state of a single path is too large
            or leaves too large a mixture.
    """
    require_places(final_layout, program, native)
    wanted, last = final_part(program)
    gates, _ = final_part(native, last)
    (pilot,) = drawn_paths(wanted, 1, seed)
    fit = min(MAX_WORK // max(pilot.work, 1), MAX_STORED_AMPLITUDES // len(pilot.state.amplitudes))
    times = max(1, min(PATHS, fit))
    ends = list(drawn_paths(wanted, times, seed))
    for number, end in followed_paths(gates, [end.written for end in ends]):
        _require_same(ends[number], end, final_layout)
    share = sum(end.probability for end in ends)
    return Verdict(
        "sampled",
        f"{times} paths of measured bits drawn, {len(ends)} different ones, with "
        f"{100 * share:.3g} % of all probability; on each the state is equal up to a phase "
        f"(seed {seed})",
    )


def _require_same(wanted: PathEnd, actual: PathEnd | None, layout: Sequence[int]) -> None:
    path = f"on the path {_shown(wanted.written)}"
    if actual is None:
        raise VerificationError(f"{path} the probability is 0, not {wanted.probability:.6g}")
    if abs(actual.probability / wanted.probability - 1) > SAME_STATE * (1 + len(wanted.written)):
        raise VerificationError(
            f"{path} the probability is {actual.probability:.6g}, not {wanted.probability:.6g}"
        )
    table, two = (
        PathTable.of(
            end.state,
            [],
            range(end.qubits, end.state.bits.shape[1]),
            places,
            [q for q in range(end.qubits) if q not in set(places)],
        )
        for end, places in ((wanted, range(len(layout))), (actual, layout))
    )
    ((_, *figures),) = apart(table, two)
    left = Path({}, *figures)
    if left.deviation > SAME_STATE:
        raise VerificationError(f"{path} {left.off}")


def _shown(written: Mapping[tuple[int, int], bool]) -> str:
    bits: dict[int, list[str]] = {}
    for (clbit, _), value in sorted(written.items()):
        bits.setdefault(clbit, []).append(str(int(value)))
    return "; ".join(f"bit {clbit} = {', '.join(values)}" for clbit, values in bits.items())
