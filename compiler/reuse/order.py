"""In which order the wires of a circuit are finished, so that few are open at a time.

A wire is finished by doing everything in its causal cone, for which all wires of the cone must
have begun. So an order of the wires decides how many qubits are needed, and nothing is won by
beginning a wire before the first one that needs it. The best order is hard to find in general.

References:
    M. DeCross, E. Chertkov, M. Kohagen, M. Foss-Feig, Qubit-Reuse Compilation with Mid-Circuit
    Measurement and Reset, Phys. Rev. X 13, 041057 (2023), arXiv:2210.08039. The greedy choice of
    the wire that opens the fewest others, from each possible first one, is theirs. They solve the
    exact problem by constraint programming.
"""

from collections.abc import Iterator, Sequence

from attrs import define, field, frozen

from compiler.reuse.wires import Wires

GREEDY_LOOKS = 300_000
"""Cones that the greedy search looks at, one run at the least."""

EXACT_LOOKS = 500_000
"""Cones that the exact search looks at before it gives up: a second or two with the greedy one."""

MAX_WIRES = 500
"""Wires beyond which the circuit's own order is kept: all else takes their square at least."""


def best_order(wires: Wires) -> tuple[list[int], int]:
    """Return an order in which wires are finished, with the fewest open at a time that is found.

    Returns:
        All wires that are not idle, and how many are open at a time at most.
    """
    cone = _Cones.of(wires.cones())
    least = cone.least()
    # In the order in which the last thing on each wire happens.
    last = {wire: number for number, node in enumerate(wires.nodes) for wire in node.wires}
    best = sorted(last, key=lambda wire: (last[wire], wire))
    if len(cone.active) > MAX_WIRES:
        return best, cone.width(best)
    best = cone.normalised(best)
    width = cone.width(best)
    for order in _greedy(cone):
        if width == least:
            break
        if cone.width(order) < width:
            best, width = order, cone.width(order)
    exact = _Exact(cone, EXACT_LOOKS)
    while width > least and (better := exact.within(width - 1)) is not None:
        best, width = better, cone.width(better)
    return best, width


@frozen(eq=False)
class _Cones:
    """The causal cones of wires, as bits; those that idle have none."""

    cone: Sequence[int]
    active: Sequence[int]

    @classmethod
    def of(cls, cone: Sequence[int]) -> "_Cones":
        return cls(cone, [wire for wire, wires in enumerate(cone) if wires])

    def least(self) -> int:
        """Return a lower bound of the open wires: the first wire that is finished has a cone."""
        return min((self.cone[wire].bit_count() for wire in self.active), default=0)

    def width(self, order: Sequence[int]) -> int:
        """Return how many wires are open at a time at most."""
        begun = width = 0
        for done, wire in enumerate(order):
            begun |= self.cone[wire]
            width = max(width, begun.bit_count() - done)
        return width

    def normalised(self, order: Sequence[int]) -> list[int]:
        """Return an order in which every wire that needs no other open wire is finished at once."""
        begun, left, result = 0, list(order), []
        while left:
            begun |= self.cone[left[0]]
            result += [wire for wire in left if not self.cone[wire] & ~begun]
            left = [wire for wire in left if self.cone[wire] & ~begun]
        return result


def _greedy(cone: _Cones) -> Iterator[list[int]]:
    """Yield orders that always finish the wire next that opens the fewest others."""
    firsts = sorted(cone.active, key=lambda wire: cone.cone[wire].bit_count())
    for first in firsts[: max(1, GREEDY_LOOKS // len(firsts) ** 2 if firsts else 0)]:
        yield cone.normalised(_greedy_from(cone, first))


def _greedy_from(cone: _Cones, first: int) -> list[int]:
    begun, order = cone.cone[first], [first]
    left = [wire for wire in cone.active if wire != first]
    while left:
        # Among equals the one with the smallest cone: it is the least entangled with the rest.
        best = min(
            left,
            key=lambda wire: ((cone.cone[wire] & ~begun).bit_count(), cone.cone[wire].bit_count()),
        )
        begun |= cone.cone[best]
        order.append(best)
        left.remove(best)
    return order


@define
class _Exact:
    """Looks for orders with few open wires, depth first, as long as it may.

    Which wires have begun says which are finished, if all are finished that can be. From such a
    state a wire is finished at once, without looking for anything else, if that opens no more
    than one other: later gates then need no more qubits than they would have otherwise. Of the
    others, only those are tried that do not open all that some other one does.

    Args:
        cone: of the wires.
        looks: how many more cones may be looked at; below 0 it has given up.
    """

    cone: _Cones
    looks: int
    _most: int = field(init=False, default=0)
    _hopeless: set[int] = field(init=False, factory=set)

    def within(self, most: int) -> list[int] | None:
        """Return an order with no more than so many wires open, None if none is found."""
        self._most, self._hopeless = most, set()
        # Each entry: begun wires, the order so far, and the remaining choices from there.
        path = [self._settled(0, [])]
        while path and self.looks >= 0:
            begun, order, tries = path[-1]
            if len(order) == len(self.cone.active):
                return order
            if not tries:
                self._hopeless.add(begun)
                path.pop()
                continue
            wire = tries.pop()
            after = begun | self.cone.cone[wire]
            settled = self._settled(after, [*order, wire])
            if settled[0] not in self._hopeless:
                path.append(settled)
        return None

    def _settled(self, begun: int, order: list[int]) -> tuple[int, list[int], list[int]]:
        """Finish all wires that can be finished without regret, and return the next choices."""
        order = list(order)
        done = set(order)
        left = [wire for wire in self.cone.active if wire not in done]
        while True:
            self.looks -= len(left)
            free = self._most - (begun.bit_count() - len(order))
            opens = {wire: self.cone.cone[wire] & ~begun for wire in left}
            ready = [wire for wire, new in opens.items() if not new]
            if not ready:
                ready = [wire for wire, new in opens.items() if new.bit_count() <= min(1, free)][:1]
            if not ready:
                break
            for wire in ready:
                begun |= self.cone.cone[wire]
            order += ready
            left = [wire for wire in left if wire not in ready]
        few = [wire for wire in left if opens[wire].bit_count() <= free]
        few.sort(key=lambda wire: opens[wire].bit_count())
        tries: list[int] = []
        for wire in few:
            self.looks -= len(tries)
            if not any(opens[other] & ~opens[wire] == 0 for other in tries):
                tries.append(wire)
        return begun, order, tries[::-1]
