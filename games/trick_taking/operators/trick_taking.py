"""TT_k: the owner of the strongest card on the table takes the trick."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb

from qiskit import QuantumCircuit
from qiskit.circuit.library import XGate

from compiler.synthesis.controls import closed_controls
from compiler.synthesis.method import (
    CountedMethod,
    GateKind,
    LiteralOperator,
    SynthesisMethod,
    example,
    operator,
    synthesis_method,
    widened,
)
from compiler.synthesis.permutations import controlled_h, flipped, xor_and
from compiler.synthesis.registers import bit_pattern, split
from games.trick_taking.operators.flags import and_parity
from games.trick_taking.operators.literal_prices import priced


@operator("trick_taking")
class TrickTaking(LiteralOperator):
    """Moves the cards on the table to the winner's stack.

    A permutation: on basis states with one card of every player on the table, each of these
    cards gets stack bit 1 and the owner of the first (strongest) of them. Nothing is lost:
    `prior` keeps the stack bits from before the trick and, for three players, `dealt` the
    owners from before the first one; neither changes.

    Operands: `owner` (n·b bits, card-major, low bit first), `table` (n), `stack` (n), `prior`
    (n, equal to `stack`), and for three players `dealt` (n·b, equal to `owner` for every card
    that is not on a stack); then clean ancillas.
    Phases are branch phases.

    Cost: 3·C(n,2) four-fold controlled X for two players; for three players
    C(n,3)·(2 C⁶X + 4b CCX + 3 CX).

    Args:
        cards: n, the deck's size, strongest card first.
        players: 2 or 3.
        owner_bits: b, bits per owner.

    References:
        Armbrüster et al., AAMAS 2026, equations 11 and 12.
    """

    exact_phases = False
    colour = "#E69F00"
    examples = (
        example("TT_2^4, owner and stack bits", 4, 2, 1),
        example("TT_3^9, owner and stack bits", 9, 3, 2),
    )

    def __init__(self, cards: int, players: int, owner_bits: int) -> None:
        self.cards, self.players, self.owner_bits = cards, players, owner_bits
        self.keeps_dealt = players == 3
        size = cards * (owner_bits * (1 + self.keeps_dealt) + 3)
        super().__init__(size, [cards, players, owner_bits])

    def _define(self) -> None:
        literal = literal_trick_taking(self.cards, self.players, self.owner_bits)
        self.definition = widened(literal, self.num_qubits)

    def legal_inputs(self) -> Iterator[int]:
        """Yield every legal basis state: one table card per player, the rest in hands or taken."""
        owners = range(min(self.players + 1, 1 << self.owner_bits))
        seats = range(self.players)
        remaining = [(owner, owner, 0, 0) for owner in owners]
        remaining += [(o, d, 1, 1) for o in seats for d in (seats if self.keeps_dealt else (o,))]
        for trick in combinations(range(self.cards), self.players):
            for order in permutations(seats):
                for others in product(remaining, repeat=self.cards - self.players):
                    played, other = ((seat, seat, 1, 0) for seat in order), iter(others)
                    cards = [next(played if i in trick else other) for i in range(self.cards)]
                    yield self._basis_state(cards)

    def _basis_state(self, cards: list[tuple[int, int, int, int]]) -> int:
        """Encode each card's owner, dealt owner, table bit and stack bit."""
        n, b = self.cards, self.owner_bits
        bits = 0
        for i, (owner, dealt, table, stack) in enumerate(cards):
            bits |= owner << (i * b) | table << (n * b + i)
            bits |= stack << (n * (b + 1) + i) | stack << (n * (b + 2) + i)
            bits |= dealt << (n * (b + 3) + i * b) if self.keeps_dealt else 0
        return bits

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the one output that a legal input is mapped to."""
        n, b = self.cards, self.owner_bits
        mask = (1 << b) - 1
        lying = basis_state >> n * b & ~(basis_state >> n * (b + 1))
        on_table = [i for i in range(n) if lying >> i & 1]
        winner = basis_state >> (on_table[0] * b) & mask
        output = basis_state
        for i in on_table:
            output = output & ~(mask << (i * b)) | winner << (i * b) | 1 << (n * (b + 1) + i)
        return {output: Fraction(1)}

    @property
    def declared_cost(self) -> Mapping[GateKind, int]:
        """3·C(n,2) C⁴X, or C(n,3)·(2 C⁶X + 4b CCX + 3 CX)."""
        tricks = comb(self.cards, self.players)
        if not self.keeps_dealt:
            return Counter({("x", 4): 3 * tricks})
        return Counter(
            {("x", 6): 2 * tricks, ("x", 2): 4 * self.owner_bits * tricks, ("x", 1): 3 * tricks}
        )

    @property
    def declared_depth(self) -> int:
        """3·(2n-3) for two players, (4b+5)·C(n,3) for three."""
        if not self.keeps_dealt:
            return 3 * (2 * self.cards - 3)
        return (4 * self.owner_bits + 5) * comb(self.cards, 3)


def literal_trick_taking(cards: int, players: int, owner_bits: int) -> QuantumCircuit:
    """Return the product over all sets of table cards (papers, equations 11 and 12).

    Two players: the loser's owner is the other seat, so three multi-controlled flips per pair
    do. Three players: an ancilla holds the condition, and the loser's owner is turned into the
    winner's with the untouched copies in `dealt`.

    Returns:
        Qubits: `owner` (card-major, low bit first), `table`, `stack`, `prior`, and for three
        players `dealt` and one clean ancilla.
    """
    three = players == 3
    bits = cards * owner_bits
    sizes = (bits, cards, cards, cards, bits if three else 0, 1 if three else 0)
    circuit = QuantumCircuit(sum(sizes))
    owner, table, stack, prior, dealt, work = split(circuit.qubits, *sizes)
    on_table = XGate().control(
        2 * players, ctrl_state=bit_pattern([True] * players + [False] * players)
    )
    for trick in combinations(range(cards), players):
        condition = [*(table[card] for card in trick), *(prior[card] for card in trick)]
        if not three:
            winner, loser = trick
            for target in (stack[winner], owner[loser * owner_bits], stack[loser]):
                circuit.append(on_table, [*condition, target])
            continue
        circuit.append(on_table, [*condition, work[0]])
        for loser in trick[1:]:
            for bit in range(owner_bits):
                for copy in (trick[0], loser):
                    source, target = dealt[copy * owner_bits + bit], owner[loser * owner_bits + bit]
                    circuit.ccx(work[0], source, target)
        for card in trick:
            circuit.cx(work[0], stack[card])
        circuit.append(on_table, [*condition, work[0]])
    return circuit


@synthesis_method("trick_taking.literal")
class LiteralTrickTaking(SynthesisMethod):
    """Qiskit plugin `trick_taking.literal`."""

    def two_qubit_gates(self, *params: int) -> int:
        """3·C(n,2) C⁴X, or C(n,3)·(2 C⁶X + 4b CCX + 3 CX); an estimate."""
        return priced(TrickTaking(*params).declared_cost)

    def ancillas(self, *params: int) -> int:
        """The condition, for three players."""
        return 1 if params[1] == 3 else 0

    def build(self, *params: int) -> QuantumCircuit:
        """Return the literal circuit of a `trick_taking` gate."""
        return closed_controls(literal_trick_taking(*params))


@synthesis_method("trick_taking.ladder")
class LadderTrickTaking(CountedMethod):
    """Qiskit plugin `trick_taking.ladder`.

    The stack register holds the flags "on the table" while owners change: 2n CX in all.

    Two players: only the loser's owner flips, and the loser is the flagged card behind an odd
    number of flagged cards: 5n − 14 gates for n ≥ 5 (7 for n = 4, 2 for n = 3, none for n = 2).

    Three players: the winner's two bits are copied from `dealt` to two ancillas. Such a bit meets
    every card's in turn, one CZ a card, but only at the first flagged card it is in the basis in
    which that flips it; ancillas that say whether a card was flagged so far turn the basis.
    Then every flagged card takes the winner over, and the copies are taken back: 26n − 54 gates
    for n ≥ 5.

    Phases are branch phases.
    """

    def ancillas(self, cards: int, players: int, _bits: int) -> int:
        """One a card for three players: the winner, and "has a card been flagged so far?"."""
        return cards if players == 3 else 0

    def build(self, cards: int, players: int, bits: int) -> QuantumCircuit:
        """Return the circuit on the operands of a `trick_taking` gate."""
        three = players == 3
        sizes = (cards * bits, cards, cards, cards, three * cards * bits, three * cards)
        circuit = QuantumCircuit(sum(sizes))
        owner, table, stack, prior, dealt, work = split(range(sum(sizes)), *sizes)
        circuit.cx(table, stack)
        if three:
            _winner_takes(circuit, owner, dealt, stack, work)
        else:
            flip_second(circuit, owner[::bits], stack)
        circuit.cx(prior, stack)
        return circuit


def flip_second(circuit: QuantumCircuit, owner: Sequence[int], flags: Sequence[int]) -> None:
    """Flip the owner of the second of two flagged cards."""
    cards = len(flags)
    if cards == 2:
        circuit.x(owner[1])
        return
    circuit.cx(flags[-1], owner[-1])
    with flipped(circuit, flags[-1:]):
        if cards == 3:
            circuit.cx(flags[2], owner[1])
            return
        xor_and(circuit, flags[-2], flags[-1], owner[-2])
    xor_and(circuit, flags[1], flags[0], owner[1])
    steps = range(2, cards - 3)
    for i in steps:
        circuit.cx(flags[i - 2], flags[i - 1])
        xor_and(circuit, flags[i], flags[i - 1], owner[i])
    if cards > 4:
        card = cards - 3
        and_parity(circuit, flags[card], flags[card - 2 : card], owner[card])
    for i in reversed(steps):
        circuit.cx(flags[i - 2], flags[i - 1])


def _winner_takes(
    circuit: QuantumCircuit,
    owner: Sequence[int],
    dealt: Sequence[int],
    flags: Sequence[int],
    work: Sequence[int],
) -> None:
    """Give the owner of the first of three flagged cards to all three.

    Flagged cards have equal `owner` and `dealt`, two bits each.
    """
    cards = len(flags)
    winner = work[:2]
    find = QuantumCircuit(circuit.num_qubits)
    seen = _seen(find, flags, work[2:])
    _copy_first(find, dealt, seen, winner)
    circuit.compose(find, inplace=True)
    for i in range(1, cards):
        for bit in range(2):
            copies = (dealt[2 * i + bit], winner[bit])
            and_parity(circuit, flags[i], copies, owner[2 * i + bit])
    circuit.compose(find.inverse(), inplace=True)


def _seen(circuit: QuantumCircuit, flags: Sequence[int], clean: Sequence[int]) -> list[int]:
    """Return qubits that say whether one of the cards 0 to i is flagged, for i < n − 3.

    For the next card it is always so, since three are flagged.
    """
    seen = [*flags[:1], *clean][: max(0, len(flags) - 3)]
    for i in range(1, len(seen)):
        with flipped(circuit, [seen[i - 1], flags[i]]):
            xor_and(circuit, seen[i - 1], flags[i], seen[i])
        circuit.x(seen[i])
    return seen


def _copy_first(
    circuit: QuantumCircuit, dealt: Sequence[int], seen: list[int], winner: Sequence[int]
) -> None:
    """Copy the owner of the first flagged card to `winner`; `seen` holds garbage afterwards.

    The winner's bits are in the X basis exactly where card i is the first one flagged. Between
    card i and i − 1 the basis changes if either is the first, that is where "one of 0 to i" and
    "one of 0 to i − 2" differ.
    """
    last = len(seen)
    for i in reversed(range(last + 2)):
        if i < last and i > 1:
            circuit.cx(seen[i - 2], seen[i])
        for bit, target in enumerate(winner):
            if i < last:
                controlled_h(circuit, seen[i], target)
            else:
                circuit.h(target)
                if i > 1:
                    controlled_h(circuit, seen[i - 2], target)
            if i > 0:
                circuit.cz(dealt[2 * (i - 1) + bit], target)
