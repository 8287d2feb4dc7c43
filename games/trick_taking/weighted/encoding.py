"""The encoding of weighted card plays: the deal, and the legal card that each play chose."""

from functools import lru_cache

import numpy as np
from attrs import field, frozen
from qiskit import QuantumCircuit, QuantumRegister

from compiler.synthesis.method import Operator
from games.encoding import Encoding, encoding, measure_registers, with_registers
from games.trick_taking.operators.uniform_deal import UniformDeal
from games.trick_taking.operators.weighted_play import WeightedPlay
from games.trick_taking.play.enumeration import Dealing
from games.trick_taking.rules.setup import seat_name
from games.trick_taking.training.tree import Floats, Tree, reaches
from games.trick_taking.weighted.game import WeightedGame

KEPT = 8


@frozen
class Turn:
    """A play in which a seat may have a choice.

    Args:
        level: number of the play, from 0.
        first: the first of its bits, and the number of bits before it.
        bits: number of its bits.
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
        """Number of bits."""
        return self.dealt + sum(turn.bits for turn in self.turns)

    def table(self, turn: Turn, chances: Floats) -> dict[int, tuple[float, ...]]:
        """Return the probability of each card for every value of the bits before a play.

        Values that are never reached are left out.

        Args:
            turn: the play.
            chances: probability of every choice of the tree.
        """
        nodes = reaches(self.tree, chances)[turn.level].tolist()
        reached = {pattern for pattern, node in zip(turn.sets, nodes, strict=True) if node}
        result = {}
        for pattern, number in turn.sets.items():
            if pattern in reached:
                item = self.tree.information[number]
                result[pattern] = tuple(chances[item.first : item.first + len(item.cards)].tolist())
        return result


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
        most = max(len(tree.information[number_].cards) for number_ in level.information)
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
    result = {}
    for turn in layout.turns:
        number = turn.sets[measured & (1 << turn.first) - 1]
        place = measured >> turn.first & (1 << turn.bits) - 1
        result[turn.level] = layout.tree.information[number].first + place
    return result


def won(layout: Layout) -> dict[int, bool]:
    """Return for all legal values of the bits whether the party wins."""
    wins = np.asarray(layout.tree.wins, dtype=bool).tolist()
    return {bits: wins[node] for bits, node in layout.ends.items()}


MAX_SEEN = 512
"""Values that the bits before a play may have."""


@encoding("card-choices")
class CardChoices(Encoding[WeightedGame]):
    """The deal, and for every play that is not forced the place of its card among the legal ones.

    Registers, all measured but `work`: `dealt` (n·b, as dealt, or with class counts the number of
    the deal; nothing changes it), `play_1` … (see `games.trick_taking.weighted.encoding`), and
    `work` (clean ancillas of the deal). The cards dealt and played before control a play, and its
    probabilities are the same for all nodes of an information set. The winner of a trick follows
    from the measured bits, so no operator compares cards.
    """

    family = WeightedGame
    judges = True
    small = True

    def supports(self, game: WeightedGame) -> bool:
        """Whole games; cards and class counts may be known."""
        rules, layout = game.rules, layout_of(game.tree)
        if rules.table or rules.taken or (layout.numbered and game.tree.deals > MAX_SEEN):
            return False
        return all(len(turn.sets) <= MAX_SEEN for turn in layout.turns)

    def program(self, game: WeightedGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        layout = layout_of(game.tree)
        deal, ancillas = _deal(game, layout)
        sizes = {f"play_{turn.level + 1}": turn.bits for turn in layout.turns}
        circuit = with_registers(game.name, {"dealt": layout.dealt, **sizes})
        dealt, *plays = circuit.qregs
        work = QuantumRegister(ancillas, "work")
        if ancillas:
            circuit.add_register(work)
        circuit.append(deal, [*dealt, *work])
        before = [*dealt]
        for turn, register in zip(layout.turns, plays, strict=True):
            play = WeightedPlay(turn.first, turn.bits, layout.table(turn, game.chances))
            seats = {game.tree.information[set_].seat for set_ in turn.sets.values()}
            play.label = "CP(w) " + "/".join(map(seat_name, sorted(seats)))
            circuit.append(play, [*before, *register])
            before += register
        return measure_registers(circuit)

    def outcome(self, game: WeightedGame, measured: int) -> int | None:
        """Return the owners at the end of the game that was measured, None if it is illegal."""
        layout = layout_of(game.tree)
        end = layout.ends.get(measured)
        return None if end is None else layout.tree.outcomes[end]


def _deal(game: WeightedGame, layout: Layout) -> tuple[Operator, int]:
    """Return the operator that prepares all deals, equally likely, and its number of ancillas."""
    if not layout.numbered:
        deal = UniformDeal(game.rules.hands, game.rules.known)
        return deal, deal.ancillas
    deals = game.tree.deals
    number = WeightedPlay(0, layout.dealt, {0: (1 / deals,) * deals})
    number.label = f"one of {deals} deals"
    return number, 0
