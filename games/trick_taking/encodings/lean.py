"""The lean encodings: random events of a game in paper rules, and the papers' toy game."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.readouts import FewReadouts, fewest_readouts
from compiler.synthesis.method import predictions
from games.encoding import Encoding, encoded, encoding, measure_registers, with_registers
from games.trick_taking.encodings.list_dealing import deal_plan
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.operators.ranks import CARDS, RankPlay, RankTrick, cards_played, rank_bits
from games.trick_taking.operators.uniform_deal import UniformDeal
from games.trick_taking.rules.setup import Deal, Play, Trick, seat_name


@frozen
class Draw:
    """A draw of cards that are not known to be in any hand.

    Args:
        owner: owner that draws; the skat is the last owner.
        cards: number of cards that are left.
        chosen: number of cards that the owner gets.
    """

    owner: int
    cards: int
    chosen: int

    def operator(self) -> UniformDeal:
        """Return the operator that marks the owner's cards among the remaining ones."""
        return UniformDeal((self.cards - self.chosen, self.chosen), (None,) * self.cards)


@frozen(eq=False)
class OrderPlan:
    """Deal and choices of a game.

    Args:
        unknown: the cards that are dealt, as places in the deck.
        draws: draws of all owners but the last one, which gets the remaining cards.
        last: that owner.
        steps: the plays and tricks.
        choices: the plays of one card of several.
    """

    unknown: tuple[int, ...]
    draws: tuple[Draw, ...]
    last: int
    steps: tuple[Play | Trick, ...]
    choices: tuple[Play, ...]

    @property
    def dealt_bits(self) -> int:
        """A bit for each card that is left, at every draw."""
        return sum(draw.cards for draw in self.draws)

    @property
    def order_bits(self) -> int:
        """A rank for every choice."""
        return sum(rank_bits(play.hand) for play in self.choices)

    @property
    def bits(self) -> int:
        """All that is left to chance."""
        return self.dealt_bits + self.order_bits

    def operators(self, game: TrickTakingGame) -> Iterator[UniformDeal | RankPlay]:
        """Yield the operators in the order of their qubits."""
        for draw in self.draws:
            deal = draw.operator()
            deal.label = f"deal {seat_name(draw.owner) if draw.owner < game.players else 'skat'}"
            yield deal
        for play in self.choices:
            rank = RankPlay(play.hand)
            rank.label = f"CP{play.hand} {seat_name(play.seat)}"
            yield rank


@lru_cache(maxsize=64)
def order_plan(game: TrickTakingGame) -> OrderPlan:
    """Return the random events of a game in paper rules."""
    unknown = tuple(card for card, owner in enumerate(game.known) if owner is None)
    held = [game.known[card] for card in game.hand_cards]
    wanted = {
        owner: left for owner, size in enumerate(game.hands) if (left := size - held.count(owner))
    }
    drawn = min((_draws(order, wanted) for order in permutations(wanted)), key=_gates)
    steps = tuple(step for step in game.steps() if isinstance(step, Play | Trick))
    plays = [step for step in steps if isinstance(step, Play)]
    free = plays if game.first_card is None else plays[1:]
    choices = tuple(play for play in free if play.hand > 1)
    last = next((o for o in wanted if all(draw.owner != o for draw in drawn)), 0)
    return OrderPlan(unknown, drawn, last, steps, choices)


def _draws(order: tuple[int, ...], wanted: dict[int, int]) -> tuple[Draw, ...]:
    left, draws = sum(wanted.values()), []
    for owner in order[:-1]:
        draws.append(Draw(owner, left, wanted[owner]))
        left -= wanted[owner]
    return tuple(draws)


def _gates(draws: tuple[Draw, ...]) -> int:
    return sum(min(predictions(draw.operator()).values()) for draw in draws)


MAX_CARDS = 9
"""Maximum number of cards: ten have too many deals and orders for a proof."""

KEPT = 1 << 16
"""Deals and orders that are kept, so that each is read once for all games that have it."""

Hands = tuple[tuple[int, ...], ...]
"""The cards of each seat."""


class Orders(Encoding[TrickTakingGame]):
    """The deal hand by hand, and a rank for each play that is a choice.

    All registers are measured. `dealt` has, for each owner but the last one, a bit for each
    remaining unknown card, 1 where the owner gets it. `order` has, for each play of one of k > 1
    cards, a rank below k: the card's place among the seat's remaining cards, in the order of the
    deck. Owners draw in the order that takes the fewest gates. Empty registers are left out; if
    nothing is left to chance, `dealt` is one qubit that stays 0.

    In paper rules no seat reacts to another one, so deal and ranks determine the game: the judge
    takes the tricks. The only redundancy of the bits is in the numbers of cards and the bounds of
    the ranks.
    """

    family = TrickTakingGame
    judges = True

    def supports(self, game: TrickTakingGame) -> bool:
        """Games in paper rules of up to nine cards."""
        return not game.follows_suit and len(game.deck) <= MAX_CARDS

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        plan = order_plan(game)
        dealt = plan.dealt_bits if plan.bits else 1
        circuit = with_registers(game.name, {"dealt": dealt, "order": plan.order_bits})
        first = 0
        for operator in plan.operators(game):
            circuit.append(operator, range(first, first + operator.num_qubits))
            first += operator.num_qubits
        return measure_registers(circuit)

    def outcome(self, game: TrickTakingGame, measured: int) -> int | None:
        """Return the owners at the end, None if the bits are no deal or no order."""
        plan = order_plan(game)
        if measured >> plan.bits:
            return None
        owners = _dealt(game, measured & (1 << plan.dealt_bits) - 1)
        orders = _orders(game, measured >> plan.dealt_bits)
        return None if owners is None or orders is None else _played(game, owners, orders)


@lru_cache(maxsize=KEPT)
def _dealt(game: TrickTakingGame, bits: int) -> tuple[int, ...] | None:
    """Return the owners that are dealt, None if an owner gets too many or too few cards."""
    plan = order_plan(game)
    owners, left = list(game.known), list(plan.unknown)
    for draw in plan.draws:
        drawn = [card for place, card in enumerate(left) if bits >> place & 1]
        if len(drawn) != draw.chosen:
            return None
        for card in drawn:
            owners[card] = draw.owner
            left.remove(card)
        bits >>= draw.cards
    return tuple(plan.last if owner is None else owner for owner in owners)


@lru_cache(maxsize=KEPT)
def _orders(game: TrickTakingGame, bits: int) -> Hands | None:
    """Return for each seat the places of its cards as they are played, None for no such rank."""
    plan = order_plan(game)
    left = [list(range(size)) for size in game.hands[: game.players]]
    orders: list[list[int]] = [[] for _ in left]
    for play in plan.steps:
        if not isinstance(play, Play):
            continue
        rank = 0
        if play in plan.choices:
            width = rank_bits(play.hand)
            rank, bits = bits & (1 << width) - 1, bits >> width
        if rank >= play.hand:
            return None
        orders[play.seat].append(left[play.seat].pop(rank))
    return tuple(map(tuple, orders))


@lru_cache(maxsize=KEPT)
def _hands(game: TrickTakingGame, owners: tuple[int, ...]) -> Hands:
    """Return each seat's cards in the order of the deck, but the card that must be led first."""
    hands = [[c for c in game.hand_cards if owners[c] == seat] for seat in range(game.players)]
    if game.first_card is not None:
        hand = hands[game.leader]
        hand.insert(0, hand.pop(hand.index(game.first_card)))
    return tuple(map(tuple, hands))


def _played(game: TrickTakingGame, owners: Sequence[int], orders: Hands) -> int:
    """Return the outcome of a game that is played in these orders."""
    final, table = list(owners), list(game.table)
    cards = [
        iter([hand[place] for place in order])
        for hand, order in zip(_hands(game, tuple(owners)), orders, strict=True)
    ]
    for step in order_plan(game).steps:
        if isinstance(step, Play):
            table.append(next(cards[step.seat]))
            continue
        winner = (game.leader + game.winner(table)) % game.players
        for card in table:
            final[card] = winner
        table.clear()
    return game.outcome(tuple(final))


ROLES = ("holder", "other")


class Ranks(Encoding[TrickTakingGame]):
    """One owner bit per card, one rank bit per seat, one comparison bit per trick.

    Registers, all of them measured, in this order: `dealt` (4, as dealt; nothing changes them),
    `rank` (2) and `taken` (2); see `RankTrick` for the meaning of the bits. Eight qubits,
    two-qubit gates after the deal: 9.

    Ranks and comparisons are relative to the *holder*, the seat that was dealt the strongest
    card, which `owner[0]` names. This is exact because in paper rules no seat reacts to another
    seat's card. In each trick the plays of the two seats commute, so their order does not matter,
    and both choices are uniform. The absolute winner of trick k is owner[0] ⊕ taken[k].

    The second trick includes the operators of its forced plays. They are free, because a rank
    names the last card as well as the first.
    """

    family = TrickTakingGame
    judges = True

    def supports(self, game: TrickTakingGame) -> bool:
        """Whole games in paper rules, two players, two cards each, no skat; cards may be known."""
        fresh = not (game.table or game.taken or game.class_counts) and game.first_card is None
        shape = (game.rules.name, game.players, game.hand, game.skat)
        return fresh and shape == ("paper", 2, 2, 0)

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        circuit = with_registers(game.name, {"dealt": CARDS, "rank": 2, "taken": 2})
        owner, rank, _ = circuit.qregs
        for step in game.steps():
            match step:
                case Deal():
                    circuit.append(UniformDeal(game.hands, game.known), owner)
                case Play(seat=place, hand=hand):
                    play = RankPlay(hand)
                    play.label = f"CP{hand} {ROLES[place]}"
                    circuit.append(play, [rank[place]])
                case Trick(trick=trick):
                    circuit.append(RankTrick(trick), circuit.qubits)
        return measure_registers(circuit)

    def outcome(self, game: TrickTakingGame, measured: int) -> int | None:
        """Return the owners at the end, None if the bits contradict the deal or each other.

        Args:
            game: the game that was played.
            measured: bits 0 to 3 `owner`, 4 and 5 `rank`, 6 and 7 `taken`.
        """
        bits = [measured >> i & 1 for i in range(CARDS + 4)]
        owners, rank, taken = bits[:CARDS], bits[CARDS : CARDS + 2], bits[CARDS + 2 :]
        dealt = zip(game.known, owners, strict=True)
        if sum(owners) != 2 or any(expected not in (None, owner) for expected, owner in dealt):
            return None
        final = list(owners)
        for trick in range(2):
            holders, others = cards_played(owners, rank, trick)
            if taken[trick] != (others < holders):
                return None
            final[holders] = final[others] = owners[0] ^ taken[trick]
        return game.outcome(tuple(final))


MAX_STATES = 50_000
"""Maximum number of states of games whose circuits are simulated to choose the readout."""


class Choices(Encoding[TrickTakingGame]):
    """The game of `lists` up to its last choice; the rest follows from the choices.

    The measurement reads the few qubits that determine the owners at the end. These are usually
    the ones that store the deal and the choices among legal cards. The judge takes the tricks
    that no seat can influence any more, and knows the outcome of every state. A choice on which
    no outcome depends is left out. Raw counts suffer from fewer errors than those of `lists`.
    But fewer errors are detected, and noise alone scores higher.
    """

    family = TrickTakingGame
    judges = True

    def supports(self, game: TrickTakingGame) -> bool:
        """Games in which suit is followed, with few enough states."""
        few = game.follows_suit and game.most_states() <= MAX_STATES
        return few and deal_plan(game) is not None

    def simulated(self, game: TrickTakingGame) -> bool:
        """Return True: a simulation of `lists` decides the omitted gates."""
        return True

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        return _read(game).circuit.copy()

    def outcome(self, game: TrickTakingGame, measured: int) -> int | None:
        """Return the owners of measured bits; see `Encoding`."""
        return _read(game).outcomes.get(measured)


@lru_cache(maxsize=16)
def _read(game: TrickTakingGame) -> FewReadouts:
    program = encoded(game, "lists")
    return fewest_readouts(program.circuit, program.outcome)


WAYS: tuple[Encoding[TrickTakingGame], ...] = (Ranks(), Orders(), Choices())
"""Encodings in order; the first one that supports a game is used."""


@encoding("lean")
class LeanEncoding(Encoding[TrickTakingGame]):
    """The fewest two-qubit gates of all encodings, for games of up to nine cards and some larger.

    - `Ranks`, the papers' toy: the deal, each seat's first card, and the winner of each trick.
    - `Orders`, all other games in paper rules: the deal, and each seat's order of play.
      No seat reacts to another one there, so the judge takes the tricks.
    - `Choices`, games in which suit is followed: as much of `lists` as the outcome needs.
    """

    place = 2
    family = TrickTakingGame
    judges = True
    small = True

    def supports(self, game: TrickTakingGame) -> bool:
        """Return True in paper rules up to nine cards, or if there are few enough states."""
        return any(way.supports(game) for way in WAYS)

    def simulated(self, game: TrickTakingGame) -> bool:
        """Return whether suit is followed; see `Encoding`."""
        return _way(game).simulated(game)

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        return _way(game).program(game)

    def outcome(self, game: TrickTakingGame, measured: int) -> int | None:
        """Return the owners of measured bits; see `Encoding`."""
        return _way(game).outcome(game, measured)


def _way(game: TrickTakingGame) -> Encoding[TrickTakingGame]:
    return next(way for way in WAYS if way.supports(game))
