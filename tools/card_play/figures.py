"""The numbers of `card-play.md`, each computed from the project's own circuits."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import asin, comb, degrees, pi, sin, sqrt

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Gate

from compiler.synthesis.permutations import swap_if
from compiler.synthesis.resources import resources
from games.trick_taking.operators.card_play import CardPlay, LiteralCardPlay, literal_card_play
from games.trick_taking.operators.hand_play import HandPlay, rounds_for
from games.trick_taking.operators.list_play import FollowPlay, LeadPlay
from games.trick_taking.operators.tournament import Draw, draw_probabilities, tournament
from tools.card_play.parts import amplified_parts, as_fraction, stages

HANDS = ((1, 0, 1, 0), (1, 1, 1, 0), (0, 0, 0, 0))
"""Hands of four with two, three and no cards of the led class."""


@frozen
class Node:
    """A draw of a tournament with the probability of its coin.

    Args:
        slots: of the cards in it.
        left_wins: probability of the coin, None for a single card.
        halves: the two groups that are drawn against each other.
    """

    slots: tuple[int, ...]
    left_wins: Fraction | None = None
    halves: "tuple[Node, Node] | tuple[()]" = ()

    def winners(self) -> Mapping[int, Fraction]:
        """Return the probability of every slot to win."""
        if self.left_wins is None or not self.halves:
            return {self.slots[0]: Fraction(1)}
        left, right = self.halves
        return {slot: self.left_wins * p for slot, p in left.winners().items()} | {
            slot: (1 - self.left_wins) * p for slot, p in right.winners().items()
        }


def drawn(marks: Sequence[int]) -> Node:
    """Return the tournament of a hand.

    Args:
        marks: 1 for every card of the led class.
    """
    return _drawn(tournament(len(marks)), marks, 0)


def _drawn(draw: Draw, marks: Sequence[int], first: int) -> Node:
    slots = tuple(range(first, first + draw.cards))
    if draw.left is None or draw.right is None:
        return Node(slots)
    left, right = draw.left.cards, draw.right.cards
    marked = sum(marks[first : first + left]), sum(marks[first + left : first + left + right])
    pattern = marked[0] | marked[1] << left.bit_length()
    return Node(
        slots,
        draw_probabilities(left, right)[pattern],
        (_drawn(draw.left, marks, first), _drawn(draw.right, marks, first + left)),
    )


def coins(node: Node) -> list[Fraction]:
    """Return the probabilities of a tournament's coins, the whole hand's last."""
    if node.left_wins is None:
        return []
    return [p for half in node.halves for p in coins(half)] + [node.left_wins]


SMALL = (4, 2)
MIDDLE = (9, 3)
SKAT = (32, 10)
FIVE_OF_SKAT = (32, 5)
DECKS = range(6, SKAT[0] + 1)
"""Deck sizes of the comparison; the hand is a third of the deck."""
COUNTED_DECKS = (6, 9)
"""Those of which the literal circuit is built and counted, too."""


@frozen
class DeckCost:
    """Two-qubit gates of one card play.

    Args:
        cards: the deck's size.
        hand: cards in the hand.
        literal: by the formula of the literal construction.
        amplified: counted.
        literal_counted: of decks small enough to build the literal circuit in a moment.
    """

    cards: int
    hand: int
    literal: int
    amplified: int
    literal_counted: int | None


def deck_costs() -> list[DeckCost]:
    """Compare both constructions from deck to deck, on hand flags that stay."""
    plays = [(n, n // 3) for n in DECKS]
    return [
        DeckCost(
            *play,
            literal_formula(*play),
            counted(HandPlay(*play)),
            literal_counted(*play) if play[0] in COUNTED_DECKS else None,
        )
        for play in plays
    ]


def literal_formula(cards: int, hand: int) -> int:
    """Return the predicted gates of the literal play with owner and stack bits."""
    return LiteralCardPlay().two_qubit_gates(*map(int, CardPlay(cards, hand, 0, 2).params))


@cache
def literal_counted(cards: int, hand: int) -> int:
    """Count the literal play with owner and stack bits."""
    params = map(int, CardPlay(cards, hand, 0, 2).params)
    return resources(LiteralCardPlay().build(*params)).two_qubit_gates


def counted(gate: Gate) -> int:
    """Count the circuit of an operator."""
    circuit = QuantumCircuit(gate.num_qubits)
    circuit.compose(gate.definition, inplace=True)
    return resources(circuit).two_qubit_gates


def table() -> list[tuple[str, str]]:
    """Return the statements of the document, in words and figures."""
    angle, rounds = degrees(asin(sqrt(Fraction(SKAT[1], SKAT[0])))), rounds_for(*SKAT)
    swap = QuantumCircuit(3)
    swap_if(swap, 0, 1, 2)
    small, params = LiteralCardPlay(), [int(p) for p in CardPlay(*SMALL, 1, 1, opening=True).params]
    literal = small.build(*params)
    share = as_fraction(sin(pi / (4 * rounds + 2)) ** 2 / SKAT[1])
    rows: list[tuple[str, int | Fraction | str]] = [
        ("subsets of 10 among 32 cards", comb(*SKAT)),
        ("literal CP_10^32, by formula", literal_formula(*SKAT)),
        ("literal CP_2^4 on one owner bit, by formula", small.two_qubit_gates(*params)),
        ("literal CP_2^4 on one owner bit, counted", resources(literal).two_qubit_gates),
        ("literal CP_3^9, by formula", literal_formula(*MIDDLE)),
        ("literal CP_3^9, counted", literal_counted(*MIDDLE)),
        ("angle of 10 among 32 cards", f"{angle:.1f}°"),
        ("rounds for 10 of 32", rounds),
        ("rounds for 5 of 32", rounds_for(*FIVE_OF_SKAT)),
        ("share of each of the 32 cards", share),
        ("share of the extra leaf", 1 - SKAT[0] * share),
        ("amplified CP_10^32, flags stay", counted(HandPlay(*SKAT))),
        ("amplified CP_10^32, the flag leaves", counted(HandPlay(*SKAT, leaves=True))),
        ("amplified CP_5^32, the flag leaves", counted(HandPlay(*FIVE_OF_SKAT, leaves=True))),
        ("amplified CP_3^9, flags stay", counted(HandPlay(*MIDDLE))),
        ("amplified CP_3^9, the flag leaves", counted(HandPlay(*MIDDLE, leaves=True))),
        ("controlled swap, up to a sign", resources(swap).two_qubit_gates),
        ("list: lead one of 10", counted(LeadPlay(6, 10))),
        ("list: follow with one of 10", counted(FollowPlay(2, 4, 10))),
    ]
    return [(name, f"{value:,}" if isinstance(value, int) else str(value)) for name, value in rows]


def markdown() -> str:
    """Return the table as it stands in the document."""
    lines = [
        "| figure | value |",
        "|---|---:|",
        *(f"| {name} | {value} |" for name, value in table()),
    ]
    return "\n".join(lines)


def described(picture: str) -> str:
    """Return the numbers of a picture, one by one."""
    match picture:
        case "literal":
            gates = literal_card_play(*SMALL, 1, 1, opening=True).count_ops()
            return f"{sum(gates.values())} gates for {comb(*SMALL)} subsets"
        case "amplified":
            parts = ", ".join(f"{part.name} {resources(part.gates).two_qubit_gates}"
                              for part in amplified_parts(*SMALL))  # fmt: skip
            pieces = [piece for part in amplified_parts(*SMALL) for piece in part.pieces]
            moved = ", ".join(str(piece.probability) for piece in pieces if piece.exchanged)
            return f"two-qubit gates {parts}; exchanges {moved}"
        case "stages":
            return "; ".join(f"{s.name} {' '.join(map(str, s.places))}" for s in stages())
        case "costs":
            return "; ".join(
                f"{c.cards} cards {c.literal:,} literal {c.amplified:,} amplified"
                + (f" {c.literal_counted:,} literal counted" if c.literal_counted else "")
                for c in deck_costs()
            )
        case _:
            return "; ".join(
                f"legal {' '.join(map(str, marks))} coins {' '.join(map(str, coins(drawn(marks))))}"
                f" played {' '.join(str(p) for _, p in sorted(drawn(marks).winners().items()))}"
                for marks in HANDS
            )
