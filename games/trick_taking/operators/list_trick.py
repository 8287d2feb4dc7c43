"""Trick taking where every card comes with the hand it was played from."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from random import Random

from qiskit import QuantumCircuit

from compiler.fault_tolerant.lean_synthesis import lean_syntheses
from compiler.fault_tolerant.one_hot_rotation import carry
from compiler.fault_tolerant.temporary_ands import temporary_and, undo_and
from compiler.synthesis.method import CountedMethod, example, operator, synthesis_method
from compiler.synthesis.permutations import flipped, less_than, swap_words_if, xor_all, xor_and
from compiler.synthesis.registers import split
from games.trick_taking.operators.flags import choose, equal_flag, fresh_of, lower_flag, zero_flag
from games.trick_taking.operators.lists import Recording, pack, unpack


@operator("trick_winner")
class TrickWinner(Recording):
    """Brings the winner's luggage to first place.

    A permutation of the players' cards and luggage (such as their hands and the party they are
    of). First the better of the two followers' cards, with its luggage, comes to place 1. Then
    the luggage of the better of places 0 and 1 comes to place 0, while the cards of these two
    stay. A history qubit of each comparison is 1 if the places were swapped.

    The better card: a trump before the led class (that of the card at place 0) before the
    rest, and then the lower lane; of two cards of the rest in the same lane, the second if the
    lane is even.

    Operands: for each of the players, leader first, a slot (`lane_bits`, then `class_bits`) and
    then `luggage` qubits; players-1 history qubits; clean ancillas.

    Args:
        players: 2 or 3.
        class_bits: qubits of a card's class; 0 if the lane decides alone.
        lane_bits: qubits of a card's lane, 0 the strongest.
        luggage: qubits that travel with each player.
        trumps: whether class 0 beats the others.
    """

    examples = (
        example("list: trick of 2, 8 cards", 2, 1, 2, 1, trumps=True),
        example("list: trick of 3, 9 cards left", 3, 2, 4, 55, trumps=True),
    )

    def __init__(
        self, players: int, class_bits: int, lane_bits: int, luggage: int, *, trumps: bool
    ) -> None:
        self.players, self.class_bits, self.lane_bits = players, class_bits, lane_bits
        self.luggage, self.trumps = luggage, trumps
        self.width = class_bits + lane_bits
        self.column = self.width + luggage
        params = [players, class_bits, lane_bits, luggage, int(trumps)]
        super().__init__(players * self.column, params)

    def recorded(self) -> int:
        """Return the number of comparisons."""
        return self.players - 1

    def _input(self, cards: tuple[int, ...] | list[int], luggage: list[int]) -> int:
        columns = [c | bag << self.width for c, bag in zip(cards, luggage, strict=True)]
        return pack(columns, self.column)

    def legal_inputs(self) -> Iterator[int]:
        """Yield every trick of distinct cards, with luggage that distinguishes the players."""
        bags = [i & (1 << self.luggage) - 1 for i in range(self.players)]
        for cards in permutations(range(1 << self.width), self.players):
            yield self._input(cards, bags)

    def random_legal_input(self, random: Random) -> int:
        """Return a random trick of distinct cards with random luggage."""
        cards = random.sample(range(1 << self.width), self.players)
        return self._input(cards, [random.getrandbits(self.luggage) for _ in cards])

    def _key(self, card: int, led: int) -> tuple[bool, bool, int]:
        kind, lane = card >> self.lane_bits, card & (1 << self.lane_bits) - 1
        return self.trumps and kind == 0, kind == led, -lane

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the one output that a legal input is mapped to."""
        slot = (1 << self.width) - 1
        columns = unpack(basis_state, self.players, self.column)
        led = (columns[0] & slot) >> self.lane_bits
        keys = [self._key(column & slot, led) for column in columns]
        tied = self.players == 3 and keys[2] == keys[1]
        if self.players == 3 and (keys[2] > keys[1] or (tied and keys[1][2] % 2 == 0)):
            columns[1:], keys[1:] = columns[:0:-1], keys[:0:-1]
        if keys[1] > keys[0]:
            _exchange(columns, 1, slot)
        return {pack(columns, self.column): Fraction(1)}


def _exchange(columns: list[int], place: int, own: int) -> None:
    """Exchange what players 0 and `place` have, but for the bits of `own`."""
    changed = (columns[0] ^ columns[place]) & ~own
    columns[0] ^= changed
    columns[place] ^= changed


def trick_ancillas(class_bits: int, lane_bits: int, trumps: int) -> tuple[int, int, int]:
    """Return the clean ancillas: flags of one card, of another, and those of classes."""
    flags = 0 if class_bits == 0 else 1 + bool(trumps)
    return flags, flags, max(0, class_bits - 2)


@synthesis_method("trick_winner.compare")
class ComparedTrick(CountedMethod):
    """Plugin `trick_winner.compare`: flags for trump and led class, then carry chains.

    A card's strength is the number (trump, follows, complement of the lane), compared with
    10n-12 gates for n bits; a swap takes 4 gates a qubit.
    """

    def ancillas(self, *params: int) -> int:
        """Flags of one card, of another, and ancillas of the classes."""
        _, class_bits, lane_bits, _, trumps = params
        return sum(trick_ancillas(class_bits, lane_bits, trumps))

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the players' columns, history and ancillas."""
        return _compared(*params, lean=False)


@lean_syntheses.register("trick_winner")
def lean_trick(*params: int) -> QuantumCircuit:
    """Return the same circuit with carries in clean qubits, which measurements clear."""
    return _compared(*params, lean=True)


def _compared(
    players: int, class_bits: int, lane_bits: int, luggage: int, trumps: int, *, lean: bool
) -> QuantumCircuit:
    width = class_bits + lane_bits
    column = width + luggage
    flags = trick_ancillas(class_bits, lane_bits, trumps)
    sizes = (players * column, players - 1, *flags, lane_bits + flags[0] - 1 if lean else 0)
    circuit = QuantumCircuit(sum(sizes))
    cards, history, first, second, inner, carries = split(range(circuit.num_qubits), *sizes)
    columns = [cards[i * column : (i + 1) * column] for i in range(players)]
    leader, *followers = columns
    kinds = [card[lane_bits:width] for card in columns]

    def ranking(seat: int, flags: Sequence[int]) -> QuantumCircuit:
        return _ranking(circuit, kinds[0], kinds[seat] if seat else None, flags, inner, lean=lean)

    def compare(a: list[int], a_flags: list[int], b: list[int], result: int) -> None:
        """Flip the result where card b, which has the other flags, is the better one."""
        b_flags = second if a_flags is first else first
        strengths = [*a[:lane_bits], *a_flags], [*b[:lane_bits], *b_flags]
        with flipped(circuit, [*a[:lane_bits], *b[:lane_bits]]):
            if lean:
                _less_than(circuit, *strengths, result, carries)
            else:
                less_than(circuit, *strengths, result)

    circuit.compose(ranking(1, first), inplace=True)
    if players == 3:
        circuit.compose(ranking(2, second), inplace=True)
        compare(followers[0], first, followers[1], history[0])
        swap_words_if(circuit, history[0], [*followers[0], *first], [*followers[1], *second])
        circuit.compose(ranking(2, second).inverse(), inplace=True)
    circuit.compose(ranking(0, second), inplace=True)
    compare(leader, second, followers[0], history[-1])
    circuit.compose(ranking(0, second).inverse(), inplace=True)
    circuit.compose(ranking(1, first).inverse(), inplace=True)
    swap_words_if(circuit, history[-1], leader[width:], followers[0][width:])
    return circuit


def _ranking(
    like: QuantumCircuit,
    led: Sequence[int],
    kind: Sequence[int] | None,
    flags: Sequence[int],
    inner: Sequence[int],
    *,
    lean: bool,
) -> QuantumCircuit:
    """Return a circuit that sets clean flags: the card follows; if there are trumps, it is one.

    Args:
        like: circuit with the same qubits.
        led: the class of the leader's card.
        kind: the class of a follower's card; None for the leader's, which follows itself.
        flags: none, one or two.
        inner: clean qubits.
        lean: write and clear the flags by temporary ANDs.
    """
    circuit = like.copy_empty_like()
    own = led if kind is None else kind
    both = (temporary_and, undo_and) if lean else (xor_and, xor_and)

    def mark(flag: int) -> None:
        with flipped(circuit, own):
            xor_all(circuit, own, flag, inner, conjunction=both[0], undone=both[1])

    if flags and kind is None:
        circuit.x(flags[0])
    elif flags:
        comparing = like.copy_empty_like()
        for source, target in zip(led, own, strict=True):
            comparing.cx(source, target)
        circuit.compose(comparing, inplace=True)
        mark(flags[0])
        circuit.compose(comparing.inverse(), inplace=True)
    for flag in flags[1:]:
        mark(flag)
    return circuit


def _less_than(
    circuit: QuantumCircuit,
    a: Sequence[int],
    b: Sequence[int],
    result: int,
    carries: Sequence[int],
) -> None:
    """Flip `result` where a < b; where they are equal, it is flipped if b is odd: n - 1 ANDs.

    See `compiler.synthesis.permutations.less_than`.

    Args:
        circuit: circuit to append to.
        a: register of n qubits, lowest bit first; it comes back.
        b: register of the same size; it comes back.
        result: qubit that is flipped.
        carries: n - 1 clean qubits.
    """
    carrying = circuit.copy_empty_like()
    chain = [b[0], *carries]
    carrying.x(list(a[1:]))
    for i in range(1, len(a)):
        carry(carrying, (a[i], chain[i - 1]), b[i], chain[i])
    circuit.compose(carrying, inplace=True)
    circuit.cx(chain[len(a) - 1], result)
    circuit.compose(carrying.inverse(), inplace=True)


@operator("wide_trick")
class WideTrick(TrickWinner):
    """Brings the winner's luggage to first place, without uncomputation.

    A permutation of the players' cards and luggage. If a follower's card is better than the one
    at place 0, the two players change places. The first one of two followers does so with card
    and luggage, the last one with luggage only, as no comparison follows. The first history
    qubits record these exchanges.

    A card beats another one if it has the same class and the lower lane, or if it alone is a
    trump; the first of the two is the leader's, or has beaten it.

    Operands: for each of the players, leader first, a slot (`lane_bits`, then `class_bits`) and
    then `luggage` qubits; history qubits.

    Args:
        players: 2 or 3.
        class_bits: qubits of a card's class, 1 to 3.
        lane_bits: qubits of a card's lane, 0 the strongest.
        luggage: qubits that travel with each player.
        trumps: whether class 0 beats the others.
    """

    examples = (
        example("wide list: trick of 2, 8 cards", 2, 1, 2, 1, trumps=True),
        example("wide list: trick of 3, 9 cards left", 3, 2, 4, 55, trumps=True),
    )

    def recorded(self) -> int:
        """Return the number of comparisons, and of all their intermediate results."""
        sizes = self.players, self.class_bits, self.lane_bits, self.luggage
        return _built(*sizes, self.trumps).num_qubits - self.players * self.column

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the one output that a legal input is mapped to."""
        slot = (1 << self.width) - 1
        columns = unpack(basis_state, self.players, self.column)
        led = (columns[0] & slot) >> self.lane_bits
        swaps = []
        for place in range(1, self.players):
            best, card = (self._key(columns[i] & slot, led) for i in (0, place))
            swaps.append(card > best)
            if card > best:
                _exchange(columns, place, slot if place == self.players - 1 else 0)
        flags = pack(map(int, swaps), 1, self.players * self.column)
        return {pack(columns, self.column) | flags: Fraction(1)}

    def canonical(self, basis_state: int) -> int:
        """Return an output without its history but for the swaps."""
        return basis_state & (1 << self.history[0] + self.players - 1) - 1


def _built(
    players: int, class_bits: int, lane_bits: int, luggage: int, trumps: int
) -> QuantumCircuit:
    """Return the circuit on the players' columns and history."""
    width = class_bits + lane_bits
    column = width + luggage
    circuit = QuantumCircuit(players * column + players - 1)
    fresh = fresh_of(circuit)
    columns = [list(range(i * column, (i + 1) * column)) for i in range(players)]
    swaps = range(players * column, players * column + players - 1)
    best = columns[0]
    for place, swapped in enumerate(swaps, start=1):
        card = columns[place]
        follows = equal_flag(circuit, card[lane_bits:width], best[lane_bits:width], fresh)
        lower = lower_flag(circuit, card[:lane_bits], best[:lane_bits], fresh)
        if trumps:
            alone = zero_flag(circuit, card[lane_bits:width], fresh)
            choose(circuit, follows, lower, alone, swapped)
        else:
            xor_and(circuit, follows, lower, swapped)
        start = width if place == players - 1 else 0
        swap_words_if(circuit, swapped, best[start:], card[start:])
    return circuit


@synthesis_method("wide_trick.compare")
class WideComparison(CountedMethod):
    """Plugin `wide_trick.compare`: 31 gates to compare two cards of 32, 4 to swap two qubits.

    Of the same class, the lower card is better; of another one, a trump is, as the other is none.
    """

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the players' columns and history."""
        return _built(*params)
