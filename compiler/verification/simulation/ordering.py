"""An order of a circuit's gates in which its state stays small on the way.

Transpilers interleave gates that have nothing to do with one another. Each of many gadgets is
then half-way at the same time, and the state is as large as the product of their branches.
"""

from collections import deque
from collections.abc import Sequence

import numpy as np
from qiskit import QuantumCircuit

from compiler.verification.simulation.blocks import merged
from compiler.verification.simulation.branches import Branches
from compiler.verification.simulation.gate_steps import Step, steps_of
from compiler.verification.simulation.sparse import MAX_AMPLITUDES, SparseState


def branched_state(
    circuit: QuantumCircuit, initial: int = 0, max_amplitudes: int = MAX_AMPLITUDES
) -> SparseState:
    """Return the state that `circuit` prepares from a basis state.

    Raises:
        StateTooLargeError: if the state outgrows `max_amplitudes`.
    """
    start = np.array([[initial >> q & 1 for q in range(circuit.num_qubits)]], dtype=bool)
    branches = Branches(start, max_amplitudes)
    gates = [step for step in steps_of(circuit) if step.kind != "barrier"]
    steps, place = merged(gates, circuit.num_qubits)
    played_in_order(branches, steps)
    state = branches.state()
    return SparseState(state.bits[:, place], state.amplitudes)


def played_in_order(
    branches: Branches, steps: Sequence[Step], random: np.random.Generator | None = None
) -> list[Step]:
    """Apply gates in an order that keeps the state small, and return that order.

    Gates that do not enlarge the state are applied as soon as they may be. If there are none,
    what has been begun goes on, and nothing is begun that could not go on.

    Args:
        branches: the state; it is changed.
        steps: gates on one and two qubits, no barriers.
        random: if given, every qubit is measured after its last gate.
    """
    return _Ordering(branches, steps, random).run()


class _Ordering:
    def __init__(
        self, branches: Branches, steps: Sequence[Step], random: np.random.Generator | None
    ) -> None:
        self.branches, self.steps, self.random = branches, steps, random
        self.waiting: dict[int, deque[int]] = {}
        for place, step in enumerate(steps):
            for qubit in step.qubits:
                self.waiting.setdefault(qubit, deque()).append(place)
        self.order: list[Step] = []
        self.postponed: dict[int, None] = {}
        self.touched = sorted(self.waiting)

    def run(self) -> list[Step]:
        while self.touched or self.postponed:
            if self.touched:
                self._try(self.touched.pop())
            else:
                place = self._most_promising()
                del self.postponed[place]
                self.branches.play([self.steps[place]])
                self._advance(place)
        return self.order

    def _try(self, qubit: int) -> None:
        """Apply the next gate of a qubit if it is its turn and does not enlarge the state."""
        while (queue := self.waiting[qubit]) and self.steps[queue[0]].kind == "u":
            self.branches.play([self.steps[queue[0]]])
            self.order.append(self.steps[queue.popleft()])
            self._finish(qubit)
        if not queue or queue[0] in self.postponed or not self._is_ready(queue[0]):
            return
        if self.branches.play_unless_larger(self.steps[queue[0]]):
            self._advance(queue[0])
        else:
            self.postponed[queue[0]] = None

    def _is_ready(self, place: int) -> bool:
        return all(self.waiting[qubit][0] == place for qubit in self.steps[place].qubits)

    def _advance(self, place: int) -> None:
        self.order.append(self.steps[place])
        for qubit in self.steps[place].qubits:
            self.waiting[qubit].popleft()
            self._finish(qubit)
            self.touched.append(qubit)

    def _finish(self, qubit: int) -> None:
        if self.random is not None and not self.waiting[qubit]:
            self.branches.measure([qubit], self.random)

    def _most_promising(self) -> int:
        """Return the latest postponed gate after which another gate on its qubits is possible.

        Where that other gate waits for a third qubit, what comes first on that one is looked at
        instead, and so on.
        """
        place = next(reversed(self.postponed))
        seen: set[int] = set()
        while place not in seen:
            seen.add(place)
            following = [f for q in self.steps[place].qubits if (f := self._after(place, q))]
            if not following:
                return place
            blocked = [self._blocking(after, place) for after in following]
            if None in blocked:
                return place
            place = next(b for b in blocked if b is not None)
        return place

    def _after(self, place: int, qubit: int) -> int | None:
        """Return the two-qubit gate that follows a gate on a qubit."""
        later = (p for p in self.waiting[qubit] if p > place and self.steps[p].kind != "u")
        return next(later, None)

    def _blocking(self, place: int, done: int) -> int | None:
        """Return the postponed gate that a gate waits for, None if only for `done`."""
        for qubit in self.steps[place].qubits:
            first = self._first(qubit)
            if first not in (place, done):
                while first not in self.postponed:
                    first = next(
                        f for q in self.steps[first].qubits if (f := self._first(q)) != first
                    )
                return first
        return None

    def _first(self, qubit: int) -> int:
        return self.waiting[qubit][0]
