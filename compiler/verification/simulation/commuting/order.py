"""An order of gates in which a state stays small, where gates that commute may change places."""

from collections.abc import Callable, Sequence

from attrs import define, field

Place = int
"""Of a gate in a circuit's order."""


@define
class SmallestOfRuns:
    """Plays gates in an order that keeps a state small, as `SmallestFirst` does.

    Any gate of a qubit's first run may be its next. Other than there, a gate that would have
    enlarged the state is tried again once something else was played on one of its qubits.

    Args:
        qubits: of each gate, two.
        runs: of each qubit its gates in order, as runs of gates that commute; it is used up.
        play: plays a gate.
        play_unless_larger: plays a gate if that does not enlarge the state, and tells whether it
            did.
    """

    qubits: Sequence[Sequence[int]]
    runs: Sequence[list[list[Place]]]
    play: Callable[[Place], None]
    play_unless_larger: Callable[[Place], bool]
    postponed: dict[Place, None] = field(factory=dict, init=False)
    touched: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.touched = [qubit for qubit, runs in enumerate(self.runs) if runs]

    def run(self) -> None:
        """Play all gates."""
        while self.touched or self.postponed:
            if self.touched:
                self._try(self.touched.pop())
            else:
                place = self._most_promising()
                self.play(place)
                self._advance(place)

    def _try(self, qubit: int) -> None:
        for place in self._front(qubit):
            if place in self.postponed or not self._is_ready(place):
                continue
            if self.play_unless_larger(place):
                self._advance(place)
                return
            self.postponed[place] = None

    def _front(self, qubit: int) -> list[Place]:
        return list(self.runs[qubit][0]) if self.runs[qubit] else []

    def _is_ready(self, place: Place) -> bool:
        return all(place in self.runs[qubit][0] for qubit in self.qubits[place])

    def _advance(self, place: Place) -> None:
        self.postponed.pop(place, None)
        for qubit in self.qubits[place]:
            runs = self.runs[qubit]
            runs[0].remove(place)
            if not runs[0]:
                del runs[0]
        for qubit in self.qubits[place]:
            for other in self._front(qubit):
                self.postponed.pop(other, None)
            self.touched.append(qubit)

    def _most_promising(self) -> Place:
        """Return the latest postponed gate after which one of another run is possible.

        Where that one waits for others, too, one of these is looked at instead, and so on.
        """
        place = next(reversed(self.postponed))
        seen: set[Place] = set()
        while place not in seen:
            seen.add(place)
            following = [f for q in self.qubits[place] for f in self._next(q)[:1]]
            if not following:
                return place
            blocked = [self._blocking(after, place) for after in following]
            if None in blocked:
                return place
            place = next(b for b in blocked if b is not None)
        return place

    def _next(self, qubit: int) -> list[Place]:
        return self.runs[qubit][1] if len(self.runs[qubit]) > 1 else []

    def _blocking(self, place: Place, done: Place) -> Place | None:
        """Return a postponed gate that a gate waits for, None if only for `done`."""
        for qubit in self.qubits[place]:
            front = self.runs[qubit][0]
            if place in front:
                continue
            for first in front:
                if first != done:
                    return self._postponed_before(first)
        return None

    def _postponed_before(self, place: Place) -> Place:
        """Return a gate itself, if it is postponed, else a postponed one that it waits for."""
        while place not in self.postponed:
            place = next(
                self.runs[q][0][0] for q in self.qubits[place] if place not in self.runs[q][0]
            )
        return place
