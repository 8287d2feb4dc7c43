"""Games that are compiled and run on backends for a training."""

from collections.abc import Callable, Mapping, Sequence

from attrs import frozen


@frozen
class CircuitRun:
    """Result of a game that was compiled and run on a backend.

    Args:
        job: its number among the records.
        counts: shots by measured classical bits, bit i being classical bit i of the program.
        two_qubit_gates: two-qubit gates of the circuit that was run.
    """

    job: int
    counts: Mapping[int, int]
    two_qubit_gates: int


RunGames = Callable[[Sequence[str]], Sequence[CircuitRun]]
"""Runs independent games, each the text of a game file."""

Say = Callable[[str], None]
