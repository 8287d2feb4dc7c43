"""Orders in which states stay small, on states that are counted by hand."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from compiler.circuits.gate_order import SmallestFirst


class Gadgets:
    """A state that doubles with the first gate of each gadget, and halves with its last.

    Args:
        gadgets: places of each gadget's gates, in their order.
    """

    def __init__(self, gadgets):
        self.first = {places[0] for places in gadgets}
        self.last = {places[-1] for places in gadgets}
        self.open, self.most = 0, 0

    def play(self, place):
        self.open += (place in self.first) - (place in self.last)
        self.most = max(self.most, self.open)

    def play_unless_larger(self, place):
        if place in self.first:
            return False
        self.play(place)
        return True


def test_one_gadget_is_finished_before_another_is_begun():
    # Five gadgets of three gates each, on a pair of qubits each, interleaved.
    qubits = [(2 * gadget, 2 * gadget + 1) for _ in range(3) for gadget in range(5)]
    state = Gadgets([[gadget, gadget + 5, gadget + 10] for gadget in range(5)])
    order = SmallestFirst(qubits, state.play, state.play_unless_larger).run()
    assert sorted(order) == list(range(15))
    assert state.most == 1


@given(st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True), max_size=30))
def test_gates_keep_their_order_on_every_qubit_and_each_qubit_is_finished_once(qubits):
    finished = []
    refused = set()

    def at_first_refused(place):
        # What is refused once is played when nothing else is left.
        refused.add(place)
        return False

    ordering = SmallestFirst(qubits, lambda _: None, at_first_refused, finished.append)
    order = ordering.run()
    assert sorted(order) == list(range(len(qubits)))
    for qubit in range(6):
        on_it = [place for place in order if qubit in qubits[place]]
        assert all(a < b for a, b in pairwise(on_it))
    assert sorted(finished) == sorted({qubit for each in qubits for qubit in each})
    assert refused == {place for place, each in enumerate(qubits) if len(each) > 1}
