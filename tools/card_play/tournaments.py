"""Who wins a tournament, from the probabilities of its coins."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from attrs import frozen

from games.trick_taking.operators.tournament import Draw, draw_probabilities, tournament

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
