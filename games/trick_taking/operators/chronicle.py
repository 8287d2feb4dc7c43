"""Operators on a chronicle: for every card who was dealt it, and in which trick it was played.

Operands that all of them share, card-major, low bit first: `owner` (n·b) and `trick` (n·d). A
card that has not been played yet has the code 2^d - 1; codes of tricks, 0, 1, …, never have
their two top bits set, so those two bits alone tell whether a card is still to be played.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from random import Random

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.synthesis.coin import toss
from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.operator import Operator, example, operator
from compiler.synthesis.permutations import flipped, xor_all, xor_and
from compiler.synthesis.registers import split
from games.trick_taking.operators.list_deal import SEGMENTED
from games.trick_taking.operators.list_play import uniform_index
from games.trick_taking.operators.lists import pack, unpack


@operator("chronicle_deal")
class ChronicleDeal(Operator):
    """Deals n cards: |0…0⟩ → Σ_deals |owners⟩ / √deals, up to branch phases.

    Operands: `owner` (n·b), clean ancillas.

    Args:
        hands: cards dealt to each owner, 2 to 4 owners; the skat is the last owner.
        known: owner of each card, or None where it is unknown.
    """

    exact_phases = False
    examples = (example("chronicle: deal of 2 x 2", (2, 2), (None,) * 4),)

    def __init__(self, hands: Sequence[int], known: Sequence[int | None]) -> None:
        self.hands, self.known = tuple(hands), tuple(known)
        self.owner_bits = (len(hands) - 1).bit_length()
        params = [len(hands), *hands, *(-1 if owner is None else owner for owner in known)]
        super().__init__(len(known) * self.owner_bits, params)

    def legal_inputs(self) -> Iterator[int]:
        """Yield the only legal input, all qubits 0."""
        yield 0

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the uniform distribution over all deals."""
        deals = [
            pack(owners, self.owner_bits)
            for owners in product(range(len(self.hands)), repeat=len(self.known))
            if all(k in (None, o) for k, o in zip(self.known, owners, strict=True))
            and all(owners.count(o) == size for o, size in enumerate(self.hands))
        ]
        return dict.fromkeys(deals, Fraction(1, len(deals)))


@operator("chronicle_play")
class ChroniclePlay(Operator):
    """A seat plays one of its k cards that are left, all k in equal superposition.

    |owners, tricks⟩ → Σ_{card} |owners, tricks with that card's code set to this trick⟩ / √k,
    up to branch phases.

    Operands: `owner`, `trick`, clean ancillas.

    Args:
        cards: n, the deck's size.
        owner_bits: b.
        trick_bits: d, at least 2.
        seat: the seat that plays.
        hand: k, cards that the seat has left.
        trick: the trick's code.
    """

    exact_phases = False
    examples = (example("chronicle: play one of 2", 2, 1, 2, seat=0, hand=2, trick=1),)

    def __init__(
        self, cards: int, owner_bits: int, trick_bits: int, *, seat: int, hand: int, trick: int
    ) -> None:
        self.cards, self.owner_bits, self.trick_bits = cards, owner_bits, trick_bits
        self.seat, self.hand, self.trick = seat, hand, trick
        size = cards * (owner_bits + trick_bits)
        params = [cards, owner_bits, trick_bits, seat, hand, trick]
        super().__init__(size, params)

    def _codes(self) -> list[tuple[int, int]]:
        """Return what a card outside the hand can be: its owner and its code."""
        left = (1 << self.trick_bits) - 1
        codes = [*(code for code in range(3 << self.trick_bits - 2) if code != self.trick), left]
        pairs = product(range(1 << self.owner_bits), codes)
        return [pair for pair in pairs if pair != (self.seat, left)]

    def _input(self, states: Sequence[tuple[int, int]]) -> int:
        owners, tricks = zip(*states, strict=True)
        return pack(owners, self.owner_bits) | pack(
            tricks, self.trick_bits, self.cards * self.owner_bits
        )

    def legal_inputs(self) -> Iterator[int]:
        """Yield every legal basis state: k cards of the seat are left, the rest is anywhere."""
        held = (self.seat, (1 << self.trick_bits) - 1)
        for states in product([held, *self._codes()], repeat=self.cards):
            if states.count(held) == self.hand:
                yield self._input(states)

    def random_legal_input(self, random: Random) -> int:
        """Return a random legal basis state."""
        states = random.choices(self._codes(), k=self.cards)
        for card in random.sample(range(self.cards), self.hand):
            states[card] = (self.seat, (1 << self.trick_bits) - 1)
        return self._input(states)

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return k outputs of probability 1/k, one for each card that is left."""
        offset, left = self.cards * self.owner_bits, (1 << self.trick_bits) - 1
        owners = unpack(basis_state, self.cards, self.owner_bits)
        tricks = unpack(basis_state, self.cards, self.trick_bits, offset)
        held = [i for i in range(self.cards) if (owners[i], tricks[i]) == (self.seat, left)]
        change, share = left ^ self.trick, Fraction(1, self.hand)
        return {basis_state ^ change << offset + i * self.trick_bits: share for i in held}


@operator("chronicle_trick")
class ChronicleTrick(Operator):
    """The owner of the first (strongest) card of a trick is its winner.

    |owners, tricks, 0⟩ → ±|owners, tricks, winner⟩, where exactly one card of every player has
    the trick's code.

    Operands: `owner`, `trick`, the winner's seat (as many bits as players need), clean ancillas.

    Args:
        cards: n, the deck's size, strongest card first.
        owner_bits: b.
        trick_bits: d, at least 2.
        players: 2 or 3.
        trick: the trick's code.
    """

    exact_phases = False
    examples = (example("chronicle: trick of 2", 3, 1, 2, players=2, trick=1),)

    def __init__(
        self, cards: int, owner_bits: int, trick_bits: int, *, players: int, trick: int
    ) -> None:
        self.cards, self.owner_bits, self.trick_bits = cards, owner_bits, trick_bits
        self.players, self.trick = players, trick
        size = cards * (owner_bits + trick_bits) + (players - 1).bit_length()
        params = [cards, owner_bits, trick_bits, players, trick]
        super().__init__(size, params)

    def legal_inputs(self) -> Iterator[int]:
        """Yield every owner for every card, with every choice of the trick's cards."""
        random = Random(0)
        for _ in range(comb(self.cards, self.players) << self.players):
            yield self.random_legal_input(random)

    def random_legal_input(self, random: Random) -> int:
        """Return a random legal basis state."""
        others = [c for c in range(3 << self.trick_bits - 2) if c != self.trick]
        tricks = random.choices([*others, (1 << self.trick_bits) - 1], k=self.cards)
        owners = random.choices(range(1 << self.owner_bits), k=self.cards)
        seats = random.sample(range(self.players), self.players)
        for card, seat in zip(random.sample(range(self.cards), self.players), seats, strict=True):
            tricks[card], owners[card] = self.trick, seat
        return pack(owners, self.owner_bits) | pack(
            tricks, self.trick_bits, self.cards * self.owner_bits
        )

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the one output that a legal input is mapped to."""
        offset = self.cards * self.owner_bits
        tricks = unpack(basis_state, self.cards, self.trick_bits, offset)
        owners = unpack(basis_state, self.cards, self.owner_bits)
        winner = owners[tricks.index(self.trick)]
        return {basis_state | winner << offset + self.cards * self.trick_bits: Fraction(1)}


@synthesis_method("chronicle_deal.counters")
class CountedDeal(CountedMethod):
    """Plugin `chronicle_deal.counters`: binary counters of the cards each owner still gets.

    A card goes to owner o, if it goes to none before, with probability need(o) over the needs of
    o and all later owners; a coin multiplexed over two counters says so.
    """

    def ancillas(self, *params: int) -> int:
        """A counter for each owner, two flags, and four for wide gates."""
        owners, *rest = params
        return sum(_deal_ancillas(rest[:owners]))

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on `owner` and ancillas."""
        owners, *rest = params
        hands = rest[:owners]
        known = [None if owner < 0 else owner for owner in rest[owners:]]
        deal = _Dealing(hands, known)
        return deal.circuit


def _deal_ancillas(hands: Sequence[int]) -> list[int]:
    return [*(size.bit_length() for size in hands), 2, 4]


class _Dealing:
    def __init__(self, hands: Sequence[int], known: Sequence[int | None]) -> None:
        self.owner_bits = (len(hands) - 1).bit_length()
        cards = len(known)
        sizes = (cards * self.owner_bits, *_deal_ancillas(hands))
        self.circuit = QuantumCircuit(sum(sizes))
        owner, *self.counters, flags, self.inner = split(range(sum(sizes)), *sizes)
        self.open, self.mine = flags
        self.needs = [size - list(known).count(o) for o, size in enumerate(hands)]
        free = [card for card, dealt in enumerate(known) if dealt is None]
        for card, dealt in enumerate(known):
            slot = owner[card * self.owner_bits : (card + 1) * self.owner_bits]
            self._write(slot, dealt or 0)
        for counter, need in zip(self.counters, self.needs, strict=True):
            self._write(counter, need)
        for place, card in enumerate(free):
            slot = owner[card * self.owner_bits : (card + 1) * self.owner_bits]
            self._card(slot, len(free) - place)
            if cards > SEGMENTED:
                self.circuit.barrier()

    def _write(self, register: Sequence[int], value: int) -> None:
        for bit, qubit in enumerate(register):
            if value >> bit & 1:
                self.circuit.x(qubit)

    def _card(self, slot: Sequence[int], left: int) -> None:
        """Deal one card to an owner, of `left` cards that are still to be dealt."""
        self.circuit.x(self.open)
        drawing = [owner for owner, need in enumerate(self.needs) if need]
        for owner in drawing:
            later = drawing[drawing.index(owner) + 1 :]
            if later:
                self._toss(owner, later, left)
            else:
                self.circuit.cx(self.open, self.mine)
            for bit, qubit in enumerate(slot):
                if owner >> bit & 1:
                    self.circuit.cx(self.mine, qubit)
            self.circuit.cx(self.mine, self.open)
            self._decrement(self.counters[owner], self.mine)
            # A card that has no owner yet looks like one of owner 0, who is the first to draw.
            told = slot if owner else [self.open]
            with flipped(self.circuit, [q for bit, q in enumerate(told) if not owner >> bit & 1]):
                xor_all(self.circuit, told, self.mine, self.inner)

    def _toss(self, owner: int, later: Sequence[int], left: int) -> None:
        """Set `mine` with probability need / (needs of this and later owners), if `open`.

        The needs of all owners add up to `left`. Two counters tell the probability: the owner's
        own, and either that of the owner before or, for the last draw, that of the owner after.
        A card that has an owner already has lowered one of the needs.
        """
        before = [o for o, need in enumerate(self.needs) if need and o < owner]
        last = len(later) == 1
        if len(before) > 1 and not last:
            raise AssertionError("of four owners, one draws before and two after the second")
        others = later if last else before
        own, other = self.counters[owner], [q for o in others for q in self.counters[o]]
        most, most_other = self.needs[owner], sum(self.needs[o] for o in others)
        rest = sum(self.needs) - most - most_other
        table = {}
        for a, b, still_open in product(range(most + 1), range(most_other + 1), (0, 1)):
            remaining = left - (1 - still_open)
            if not 0 <= remaining - a - b <= rest:
                continue
            of = a + b if last else left - b
            probability = Fraction(a, of) if still_open and of else Fraction(0)
            table[a | b << len(own) | still_open << len(own) + len(other)] = probability
        controls = [*own, *other, self.open]
        if not before:
            first = 1 << len(controls) - 1
            table = {code ^ first: p for code, p in table.items() if code & first}
            controls.pop()
        toss(self.circuit, controls, self.mine, table)

    def _decrement(self, counter: Sequence[int], flag: int) -> None:
        """Subtract 1 where `flag` is 1; the counter is not 0 then."""
        for bit in reversed(range(len(counter))):
            with flipped(self.circuit, counter[:bit]):
                xor_all(self.circuit, [*counter[:bit], flag], counter[bit], self.inner)


@synthesis_method("chronicle_play.scan")
class ScannedPlay(CountedMethod):
    """Plugin `chronicle_play.scan`: a rank counts down at every card that could be played.

    The card at rank 0 is played and ends the scan; the rank ends at 0 and the scan's flag too.
    """

    def ancillas(self, *params: int) -> int:
        """The rank, five flags, and what wide gates need."""
        _, owner_bits, trick_bits, _, hand, _ = params
        return sum(_play_ancillas(owner_bits, trick_bits, hand))

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on `owner`, `trick` and ancillas."""
        cards, owner_bits, trick_bits, seat, hand, trick = params
        sizes = (
            cards * owner_bits,
            cards * trick_bits,
            *_play_ancillas(owner_bits, trick_bits, hand),
        )
        circuit = QuantumCircuit(sum(sizes))
        owner, tricks, rank, flags, inner = split(range(sum(sizes)), *sizes)
        scan = _Scan(circuit, seat, trick, rank, flags, inner)
        uniform_index(circuit, rank, hand)
        circuit.x(flags[0])
        for card in range(cards):
            scan.card(
                owner[card * owner_bits : (card + 1) * owner_bits],
                tricks[card * trick_bits : (card + 1) * trick_bits],
            )
        return circuit


def _play_ancillas(owner_bits: int, trick_bits: int, hand: int) -> tuple[int, int, int]:
    rank = (hand - 1).bit_length()
    return rank, 5, max(owner_bits, trick_bits - 1, rank, 1)


@frozen
class _Scan:
    """One play along the deck.

    Args:
        circuit: what is appended to.
        seat: who plays.
        trick: the trick's code.
        rank: cards of the hand still to be passed by.
        flags: the scan goes on, card is the seat's, is in the hand, is played, counts down.
        inner: ancillas of wide gates.
    """

    circuit: QuantumCircuit
    seat: int
    trick: int
    rank: Sequence[int]
    flags: Sequence[int]
    inner: Sequence[int]

    def card(self, owner: Sequence[int], trick: Sequence[int]) -> None:
        """Pass one card by, or play it."""
        going, own, held, played, counts = self.flags
        circuit = self.circuit
        self._match(owner, self.seat, [], own)
        xor_all(circuit, [own, *trick[-2:]], held, self.inner)
        with flipped(circuit, self.rank):
            xor_all(circuit, [held, going, *self.rank], played, self.inner)
        for bit, qubit in enumerate(trick):
            if not self.trick >> bit & 1:
                circuit.cx(played, qubit)
        circuit.cx(played, going)
        if self.rank:
            xor_and(circuit, held, going, counts)
            for bit in reversed(range(len(self.rank))):
                with flipped(circuit, self.rank[:bit]):
                    controls = [*self.rank[:bit], counts]
                    xor_all(circuit, controls, self.rank[bit], self.inner)
            xor_and(circuit, held, going, counts)
        circuit.cx(played, held)
        xor_all(circuit, [own, *trick[-2:]], held, self.inner)
        self._match(trick, self.trick, [own], played)
        self._match(owner, self.seat, [], own)

    def _match(
        self, register: Sequence[int], value: int, conditions: Sequence[int], target: int
    ) -> None:
        zeros = [qubit for bit, qubit in enumerate(register) if not value >> bit & 1]
        with flipped(self.circuit, zeros):
            xor_all(self.circuit, [*conditions, *register], target, self.inner)


@synthesis_method("chronicle_trick.scan")
class ScannedTrick(CountedMethod):
    """Plugin `chronicle_trick.scan`: cards of the trick are counted, the first one's owner wins."""

    def ancillas(self, *params: int) -> int:
        """A counter, two flags, and what wide gates need."""
        return sum(_trick_ancillas(params[2]))

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on `owner`, `trick`, the winner and ancillas."""
        cards, owner_bits, trick_bits, players, trick = params
        seat_bits = (players - 1).bit_length()
        sizes = (cards * owner_bits, cards * trick_bits, seat_bits, *_trick_ancillas(trick_bits))
        circuit = QuantumCircuit(sum(sizes))
        owner, tricks, winner, counter, flags, inner = split(range(sum(sizes)), *sizes)
        found, first = flags
        for card in range(cards):
            code = tricks[card * trick_bits : (card + 1) * trick_bits]
            zeros = [qubit for bit, qubit in enumerate(code) if not trick >> bit & 1]
            with flipped(circuit, zeros):
                xor_all(circuit, code, found, inner)
            with flipped(circuit, counter):
                xor_all(circuit, [found, *counter], first, inner)
            for source, target in zip(owner[card * owner_bits :], winner, strict=False):
                xor_and(circuit, first, source, target)
            with flipped(circuit, counter):
                xor_all(circuit, [found, *counter], first, inner)
            xor_and(circuit, found, counter[0], counter[1])
            circuit.cx(found, counter[0])
            with flipped(circuit, zeros):
                xor_all(circuit, code, found, inner)
        for bit, qubit in enumerate(counter):
            if players >> bit & 1:
                circuit.x(qubit)
        return circuit


def _trick_ancillas(trick_bits: int) -> tuple[int, int, int]:
    return 2, 2, max(1, trick_bits - 2)


def code_bits(tricks: int) -> int:
    """Return d, the bits of a card's trick code: three quarters of the codes are for tricks."""
    return max(2, (-(-4 * tricks // 3) - 1).bit_length())
