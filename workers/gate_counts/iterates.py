"""What a Grover iterate adds to its program, in two-qubit gates of the program."""

from collections.abc import Iterator, Mapping

from attrs import frozen

from workers.gate_counts.counts import Counts
from workers.gate_counts.programs import AMPLIFIED
from workers.gate_counts.suite import Key


@frozen
class Iterate:
    """What one iterate adds, beside a program that decides as much.

    Args:
        program: the amplified one, as the suite names it.
        target: as the suite names it.
        adds: two-qubit gates of an iterate: those of the amplified program less those of the
            program alone, in the same encoding, shared among its iterates.
        encoding: of the program that it is compared with: the same one, or one that goes on from
            it, such as `lists-win` from `lists`, with the event on a qubit.
        own: two-qubit gates of that program, the fewest of all its entries on the target.
    """

    program: str
    target: str
    adds: float
    encoding: str
    own: int

    @property
    def programs(self) -> float:
        """How many programs an iterate adds."""
        return self.adds / self.own


def iterates(counted: Mapping[Key, Counts]) -> list[Iterate]:
    """Return what iterates add wherever their program was counted alone on the same target.

    Args:
        counted: the entries of a suite; those that failed tell nothing.
    """
    two_qubit_gates = {key: one.two_qubit_gates for key, one in counted.items() if not one.failed}
    return [
        one
        for (program, _, target, *_), gates in two_qubit_gates.items()
        if program.startswith(AMPLIFIED)
        for one in _of(program, target, gates, two_qubit_gates)
    ]


def _of(
    program: str, target: str, gates: int, two_qubit_gates: Mapping[Key, int]
) -> Iterator[Iterate]:
    encoding, _, count, game = program.removeprefix(AMPLIFIED).split(":", 3)
    alone: dict[str, int] = {}
    for (name, own, where, *_), few in two_qubit_gates.items():
        if (name, where) == (game, target) and (own == encoding or own.startswith(f"{encoding}-")):
            alone[own] = min(few, alone.get(own, few))
    if encoding not in alone or not int(count):
        return
    adds = (gates - alone[encoding]) / int(count)
    for own, few in sorted(alone.items()):
        if few:
            yield Iterate(program, target, adds, own, few)
