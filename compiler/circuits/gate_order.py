"""An order of gates in which a state stays small on the way.

Transpilers interleave gates that have nothing to do with one another. Each of many gadgets is
then half-way at the same time, and the state is as large as the product of their branches.
"""

from collections import deque
from collections.abc import Callable, Sequence

from attrs import define, field

Place = int
"""Of a gate in a circuit's order."""


@define
class SmallestFirst:
    """Plays gates in an order that keeps a state small.

    Gates that do not enlarge the state are played as soon as they may be. If there are none, what
    has been begun goes on, and nothing is begun that could not go on.

    Args:
        qubits: of each gate; one-qubit gates are taken not to enlarge anything.
        play: plays a gate.
        play_unless_larger: plays a gate if that does not enlarge the state, and tells whether it
            did.
        finish: hears of each qubit after its last gate.

    Attributes:
        order: the places of the gates that were played, in that order.
    """

    qubits: Sequence[Sequence[int]]
    play: Callable[[Place], None]
    play_unless_larger: Callable[[Place], bool]
    finish: Callable[[int], None] = lambda _: None
    order: list[Place] = field(factory=list)
    waiting: dict[int, deque[Place]] = field(factory=dict, init=False)
    postponed: dict[Place, None] = field(factory=dict, init=False)
    touched: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        for place, qubits in enumerate(self.qubits):
            for qubit in qubits:
                self.waiting.setdefault(qubit, deque()).append(place)
        self.touched = sorted(self.waiting)

    def run(self) -> list[Place]:
        """Play all gates, and return their order."""
        while self.touched or self.postponed:
            if self.touched:
                self._try(self.touched.pop())
            else:
                place = self._most_promising()
                del self.postponed[place]
                self.play(place)
                self._advance(place)
        return self.order

    def _try(self, qubit: int) -> None:
        """Apply the next gate of a qubit if it is its turn and does not enlarge the state."""
        while (queue := self.waiting[qubit]) and len(self.qubits[queue[0]]) == 1:
            self.play(queue[0])
            self.order.append(queue.popleft())
            self._finish(qubit)
        if not queue or queue[0] in self.postponed or not self._is_ready(queue[0]):
            return
        if self.play_unless_larger(queue[0]):
            self._advance(queue[0])
        else:
            self.postponed[queue[0]] = None

    def _is_ready(self, place: Place) -> bool:
        return all(self.waiting[qubit][0] == place for qubit in self.qubits[place])

    def _advance(self, place: Place) -> None:
        self.order.append(place)
        for qubit in self.qubits[place]:
            self.waiting[qubit].popleft()
            self._finish(qubit)
            self.touched.append(qubit)

    def _finish(self, qubit: int) -> None:
        if not self.waiting[qubit]:
            self.finish(qubit)

    def _most_promising(self) -> Place:
        """Return the latest postponed gate after which another gate on its qubits is possible.

        Where that other gate waits for a third qubit, what comes first on that one is looked at
        instead, and so on.
        """
        place = next(reversed(self.postponed))
        seen: set[int] = set()
        while place not in seen:
            seen.add(place)
            following = [f for q in self.qubits[place] if (f := self._after(place, q))]
            if not following:
                return place
            blocked = [self._blocking(after, place) for after in following]
            if None in blocked:
                return place
            place = next(b for b in blocked if b is not None)
        return place

    def _after(self, place: Place, qubit: int) -> Place | None:
        """Return the two-qubit gate that follows a gate on a qubit."""
        later = (p for p in self.waiting[qubit] if p > place and len(self.qubits[p]) > 1)
        return next(later, None)

    def _blocking(self, place: Place, done: Place) -> Place | None:
        """Return the postponed gate that a gate waits for, None if only for `done`."""
        for qubit in self.qubits[place]:
            first = self._first(qubit)
            if first not in (place, done):
                while first not in self.postponed:
                    first = next(f for q in self.qubits[first] if (f := self._first(q)) != first)
                return first
        return None

    def _first(self, qubit: int) -> Place:
        return self.waiting[qubit][0]
