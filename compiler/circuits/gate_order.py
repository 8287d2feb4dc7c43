"""An order of gates in which a state stays small on the way.

Transpilers interleave gates that have nothing to do with one another. Each of many gadgets is
then half-way at the same time, and the state is as large as the product of their branches.
"""

from collections import deque
from collections.abc import Callable, Collection, Sequence
from itertools import islice

import rustworkx as rx
from attrs import define, field

Place = int
"""Place of a gate in a circuit's order."""


@define
class SmallestFirst:
    """Applies gates in an order that keeps a state small.

    Gates that do not enlarge the state are applied as soon as possible. If there are none, a begun
    gate is finished, and no gate is begun that could not be finished. Where gates commute, any
    gate of a qubit's first run may be its next, and one that would have enlarged the state is
    tried again once something else was played on one of its qubits.

    Args:
        qubits: of each gate; one-qubit gates are taken not to enlarge anything.
        play: plays a gate.
        play_unless_larger: plays a gate if that does not enlarge the state, and tells whether it
            did.
        finish: hears of each qubit after its last gate.
        runs: of each qubit its gates in order, as runs of gates that commute, all on two qubits;
            by default each gate is a run of its own.

    Attributes:
        order: the places of the gates that were played, in that order.
        waiting: of each qubit the runs that are left.
        postponed: gates that may be next, and would enlarge the state.
        touched: qubits whose next gates have not been tried since something was played there.
    """

    qubits: Sequence[Sequence[int]]
    play: Callable[[Place], None]
    play_unless_larger: Callable[[Place], bool]
    finish: Callable[[int], None] = lambda _: None
    runs: Sequence[Sequence[list[Place]]] | None = None
    order: list[Place] = field(factory=list, init=False)
    waiting: dict[int, deque[list[Place]]] = field(factory=dict, init=False)
    postponed: dict[Place, None] = field(factory=dict, init=False)
    touched: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        if self.runs is not None:
            self.waiting = {qubit: deque(runs) for qubit, runs in enumerate(self.runs) if runs}
        else:
            for place, qubits in enumerate(self.qubits):
                for qubit in qubits:
                    self.waiting.setdefault(qubit, deque()).append([place])
        self.touched = sorted(self.waiting)

    def run(self) -> list[Place]:
        """Play all gates, and return their order."""
        while self.touched or self.postponed:
            if self.touched:
                self._try(self.touched.pop())
            else:
                place = self._most_promising()
                self.play(place)
                self._advance(place)
        return self.order

    def _try(self, qubit: int) -> None:
        """Play a next gate of a qubit if it is its turn and does not enlarge the state."""
        while (front := self._front(qubit)) and len(self.qubits[front[0]]) == 1:
            self.play(front[0])
            self._drop(front[0], qubit)
        for place in front:
            if place in self.postponed or not self._is_ready(place):
                continue
            if self.play_unless_larger(place):
                self._advance(place)
                return
            self.postponed[place] = None

    def _front(self, qubit: int) -> list[Place]:
        """Return the gates of a qubit any of which may be its next."""
        return list(self.waiting[qubit][0]) if self.waiting[qubit] else []

    def _is_ready(self, place: Place) -> bool:
        return all(place in self.waiting[qubit][0] for qubit in self.qubits[place])

    def _advance(self, place: Place) -> None:
        self.postponed.pop(place, None)
        for qubit in self.qubits[place]:
            self._drop(place, qubit)
        for qubit in self.qubits[place]:
            for other in self._front(qubit):
                self.postponed.pop(other, None)
            self.touched.append(qubit)

    def _drop(self, place: Place, qubit: int) -> None:
        """Note that a gate of the first run of a qubit was played."""
        if qubit == self.qubits[place][0]:
            self.order.append(place)
        runs = self.waiting[qubit]
        runs[0].remove(place)
        if not runs[0]:
            runs.popleft()
        if not runs:
            self.finish(qubit)

    def _most_promising(self) -> Place:
        """Return the latest postponed gate after which one of another run is possible.

        Where that one waits for others, too, one of these is looked at instead, and so on.
        """
        place = next(reversed(self.postponed))
        seen: set[Place] = set()
        while place not in seen:
            seen.add(place)
            following = [f for q in self.qubits[place] if (f := self._after(q)) is not None]
            blocked = [self._blocking(after, place) for after in following]
            if not blocked or None in blocked:
                return place
            place = next(b for b in blocked if b is not None)
        return place

    def _after(self, qubit: int) -> Place | None:
        """Return the first gate on several qubits after the first run of a qubit."""
        later = (place for run in islice(self.waiting[qubit], 1, None) for place in run)
        return next((place for place in later if len(self.qubits[place]) > 1), None)

    def _blocking(self, place: Place, done: Place) -> Place | None:
        """Return a postponed gate that a gate waits for, None if only for `done`."""
        for qubit in self.qubits[place]:
            front = self._front(qubit)
            first = next((other for other in front if other != done), None)
            if place not in front and first is not None:
                while first not in self.postponed:
                    first = next(
                        front[0]
                        for q in self.qubits[first]
                        if first not in (front := self._front(q))
                    )
                return first
        return None


def by_urgency(before: Sequence[Collection[int]], urgency: Sequence[int]) -> list[int]:
    """Return numbers in an order in which each comes after some others, the most urgent first.

    Args:
        before: for each number those that come before it.
        urgency: of each, less is earlier; of equals the first comes first.

    Returns:
        All numbers; fewer if there is no such order.
    """
    graph = rx.PyDiGraph()
    graph.add_nodes_from(range(len(before)))
    graph.add_edges_from_no_data([(a, b) for b, earlier in enumerate(before) for a in earlier])
    return list(rx.lexicographical_topological_sort(graph, lambda n: f"{urgency[n]:09}:{n:09}"))
