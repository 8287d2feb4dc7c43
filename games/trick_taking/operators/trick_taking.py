"""TT_k: the owner of the strongest card on the table takes the trick."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb

from compiler.synthesis.method import widened
from compiler.synthesis.operator import GateKind, LiteralOperator, example, operator
from games.trick_taking.synthesis.literal_trick_taking import literal_trick_taking


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
        rest = [(owner, owner, 0, 0) for owner in owners]
        rest += [(o, d, 1, 1) for o in seats for d in (seats if self.keeps_dealt else (o,))]
        for trick in combinations(range(self.cards), self.players):
            for order in permutations(seats):
                for others in product(rest, repeat=self.cards - self.players):
                    played, other = iter(order), iter(others)
                    yield self._basis_state(
                        [
                            (seat := next(played), seat, 1, 0) if i in trick else next(other)
                            for i in range(self.cards)
                        ]
                    )

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
        on_table = [
            i
            for i in range(n)
            if basis_state >> (n * b + i) & 1 and not basis_state >> (n * (b + 1) + i) & 1
        ]
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
