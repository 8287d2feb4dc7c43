"""Where a game of tricks lies in bits: who was dealt what, and which card each play chose.

Bits, the lowest first: the owners as dealt, `i*b + j` being bit j of the owner of card i, or, in a
game with class counts, whose deals are no product of choices, the number of the deal; then for
every play the place of the card among the legal ones, in the order of the deck. A play that is
forced in all of them has no bits. Who takes a trick follows from these.
"""

from functools import lru_cache

import numpy as np
from attrs import field, frozen

from games.trick_taking.play.dealing import Dealing
from games.trick_taking.training.tree import Floats, Tree
from games.trick_taking.training.value import reaches

KEPT = 8


@frozen
class Turn:
    """A play in which somebody may have a choice.

    Args:
        level: which play it is, from 0.
        first: the first of its bits, and how many bits lie before it.
        bits: how many it has.
        sets: the number of the information set for every value of the bits before it.
    """

    level: int
    first: int
    bits: int
    sets: dict[int, int]


@frozen(eq=False)
class Layout:
    """The bits of all ways in which a game can go.

    Args:
        tree: all deals and plays.
        dealt: bits of the owners, or of the number of the deal.
        numbered: whether deals are numbered, in the order of `Dealing.all`.
        turns: the plays with a choice.
        ends: the node of the last level for every value of all bits that is legal.
    """

    tree: Tree
    dealt: int
    numbered: bool
    turns: tuple[Turn, ...]
    ends: dict[int, int] = field(repr=False)

    @property
    def bits(self) -> int:
        """How many there are."""
        return self.dealt + sum(turn.bits for turn in self.turns)

    def table(self, turn: Turn, chances: Floats) -> dict[int, tuple[float, ...]]:
        """Return the probability of each card for every value of the bits before a play.

        Values that are never reached are left out.

        Args:
            turn: the play.
            chances: of every choice of the tree.
        """
        found = {}
        reached = set(self._reached(turn, chances))
        for pattern, number in turn.sets.items():
            if pattern in reached:
                one = self.tree.information[number]
                found[pattern] = tuple(chances[one.first : one.first + len(one.cards)].tolist())
        return found

    def _reached(self, turn: Turn, chances: Floats) -> list[int]:
        nodes = reaches(self.tree, chances)[turn.level]
        return [
            pattern for pattern, chance in zip(turn.sets, nodes.tolist(), strict=True) if chance
        ]


@lru_cache(KEPT)
def layout_of(tree: Tree) -> Layout:
    """Return the bits of a game."""
    game = tree.game
    numbered = bool(game.class_counts)
    if numbered:
        nodes, dealt = list(range(tree.deals)), max(1, (tree.deals - 1).bit_length())
    else:
        nodes, dealt = [game.outcome(deal) for deal in Dealing(game).all()], game.outcome_bits
    first = dealt
    turns = []
    for number, level in enumerate(tree.levels):
        sets = tree.owners[level.choices]
        before = dict(zip(level.parents.tolist(), sets.tolist(), strict=True))
        most = max(len(tree.information[one].cards) for one in level.information)
        bits = (most - 1).bit_length()
        if bits:
            seen = {nodes[parent]: before[parent] for parent in range(len(nodes))}
            turns.append(Turn(number, first, bits, seen))
        places = (level.choices - tree.firsts[sets]).tolist()
        nodes = [
            nodes[parent] | place << first
            for parent, place in zip(level.parents.tolist(), places, strict=True)
        ]
        first += bits
    ends = {bits: node for node, bits in enumerate(nodes)}
    return Layout(tree, dealt, numbered, tuple(turns), ends)


def choices_of(layout: Layout, measured: int) -> dict[int, int] | None:
    """Return the choice of every play with bits by its level, None if the bits are illegal.

    Args:
        layout: the bits.
        measured: values of all of them.
    """
    if measured not in layout.ends:
        return None
    found = {}
    for turn in layout.turns:
        number = turn.sets[measured & (1 << turn.first) - 1]
        place = measured >> turn.first & (1 << turn.bits) - 1
        found[turn.level] = layout.tree.information[number].first + place
    return found


def won(layout: Layout) -> dict[int, bool]:
    """Return for all legal values of the bits whether the party wins."""
    wins = np.asarray(layout.tree.wins, dtype=bool).tolist()
    return {bits: wins[node] for bits, node in layout.ends.items()}
