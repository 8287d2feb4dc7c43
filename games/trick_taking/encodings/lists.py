"""Hands as lists of card codes, relative to the leader: the fewest gates for games of any size."""

from collections.abc import Iterator, Mapping, Sequence

from qiskit import QuantumCircuit

from compiler.errors import VerificationError
from compiler.judge import Kind, Observable
from compiler.synthesis.method import Operator
from games.encoding import Encoding, encoding
from games.trick_taking.encodings.card_codes import CardCodes, card_codes
from games.trick_taking.encodings.levels import Levels
from games.trick_taking.encodings.list_dealing import DealPlan, Slot, deal_plan
from games.trick_taking.encodings.list_program import ListProgram, score_of
from games.trick_taking.encodings.wide_dealing import WideDealing
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.operators.levels import OneSide, Schneider
from games.trick_taking.operators.list_play import WideFollow
from games.trick_taking.operators.list_trick import WideTrick
from games.trick_taking.operators.lists import unpack
from games.trick_taking.operators.trick_score import WideScore
from games.trick_taking.play.replay import Played, replay
from games.trick_taking.rules.rules import NULL

Exchange = tuple[int, int]
"""Two places in the order of play that a bit of a trick says were swapped."""


EXCHANGES: Mapping[int, tuple[Exchange, ...]] = {2: ((0, 1),), 3: ((1, 2), (0, 1))}
"""Meaning of a trick's bits by number of players: the followers were swapped, and then the first
two. Cards change places in all exchanges but the last."""


def measured_game(
    game: TrickTakingGame, measured: int, exchanges: Sequence[Exchange], *, scored: bool
) -> Played:
    """Read the classical bits `hands`, `skat`, `tricks` and `win`, in this order.

    Args:
        game: the rules.
        measured: the bits.
        exchanges: the exchanges that a trick's bits stand for, such as `EXCHANGES`.
        scored: whether `win` is among them.

    Raises:
        VerificationError: if some code is no card of the deck, a card comes twice, or the rules
            refuse a move, the winner of a trick, or the bit `win`.
    """
    codes, slots = card_codes(game), game.players * game.hand + game.skat
    cards = {code: card for card, code in enumerate(codes.codes)}
    held = [cards.get(code) for code in unpack(measured, slots, codes.width)]
    if None in held or len(set(held)) < slots:
        raise VerificationError("a measured code is no card of the deck, or a card comes twice")
    dealt_cards = [card for card in held if card is not None]
    places = [dealt_cards[p * game.hand : (p + 1) * game.hand] for p in range(game.players)]
    bits = measured >> slots * codes.width
    deal = [0 if owner is None else owner for owner in game.known]
    for card in dealt_cards[game.players * game.hand :]:
        deal[card] = game.players
    seats = _from(game.leader, game.players)
    plays: list[int] = []
    winners = []
    for slot in reversed(range(game.hand)):
        swapped = [bits >> i & 1 for i in range(game.players - 1)]
        bits >>= game.players - 1
        order = _exchanged(seats, exchanges[:-1], swapped)
        played = {seat: places[p][slot] for p, seat in enumerate(order)}
        for seat, card in played.items():
            deal[card] = seat
        plays += [played[seat] for seat in _from(seats[0], game.players)]
        after = _exchanged(order, exchanges[-1:], swapped[-1:])
        winners.append(after[0])
        if game.winner_leads:
            seats = after
    result = replay(game, deal, plays[len(game.table) :])
    for number, trick in enumerate(zip(result.tricks, result.winners, winners, strict=True)):
        lying, winner, claimed = trick
        if claimed != winner:
            names = " ".join(str(game.deck[card]) for card in lying)
            raise VerificationError(
                f"trick {number + 1}: {names} goes to seat {winner}, not to seat {claimed}"
            )
    if scored and bool(bits & 1) != game.is_win(game.outcome(result.owners)):
        raise VerificationError(f"the win bit says {bool(bits & 1)}")
    return result


def _from(seat: int, players: int) -> list[int]:
    return [(seat + turn) % players for turn in range(players)]


def _exchanged(
    seats: Sequence[int], exchanges: Sequence[Exchange], swapped: Sequence[int]
) -> list[int]:
    order = list(seats)
    for (first, other), took_place in zip(exchanges, swapped, strict=False):
        if took_place:
            order[first], order[other] = order[other], order[first]
    return order


def open_levels(game: TrickTakingGame) -> tuple[str, ...]:
    """Return the levels that the rules leave open, lowest classical bit first."""
    levels = Levels(game)
    possible = {"schneider": levels.may_be_schneider, "schwarz": levels.may_be_schwarz}
    return tuple(name for name, may_be in possible.items() if may_be)


def value_bits(game: TrickTakingGame, outcome: int) -> int:
    """Return the measured bits of an outcome: score and open levels; for a null, the win.

    The score is points − threshold + 2^(S-1), lowest bit first, so that its top bit says "won".
    """
    if game.rules.contract == NULL:
        return int(game.is_win(outcome))
    size, levels = score_of(game, card_codes(game)).bits, Levels(game)
    bits = game.points(outcome) - game.threshold + (1 << size - 1)
    for place, name in enumerate(open_levels(game), start=size):
        bit = levels.schneider(outcome) if name == "schneider" else levels.schwarz(outcome)
        bits |= bit << place
    return bits


class ListValueProgram(ListProgram):
    """A program with a score that also finds the levels that are open, and measures both.

    The score's value is points − threshold + 2^(S-1), so that the points themselves take no gate.
    Whether it is schneider follows from the score in the end; whether it is schwarz is kept trick
    by trick: the first trick's side is copied, and an AND with "the same side" taken at each
    later one.
    """

    def __init__(self, game: TrickTakingGame, codes: CardCodes, *, scored: bool = True) -> None:
        super().__init__(game, codes, scored=True)
        self.open = open_levels(game)
        self.first: int | None = None
        self.one_side: int | None = None

    def _take(self, cards: int, score: list[int]) -> int | None:
        side = super()._take(cards, score)
        if "schwarz" in self.open and side is not None:
            self._compare(side)
        return side

    def _compare(self, side: int) -> None:
        """Remember the first trick's side, and whether all tricks so far have gone to it."""
        if self.first is None:
            before = Levels(self.game).first_side
            (self.first,) = self._fresh(1)
            self.history.append(self.first)
            if before is None:
                self.operations.append(("cx", [side, self.first]))
                return
            if before:
                self.operations.append(("x", [self.first]))
        before_this = [] if self.one_side is None else [self.one_side]
        (now,) = self._fresh(1)
        if self.one_side is not None:
            self.history.append(self.one_side)
        operator = OneSide(second=self.one_side is None)
        self.operations.append((operator, [side, self.first, *before_this, now]))
        self.one_side = now

    def _end(self, score: list[int]) -> None:
        super()._end(score)
        if "schneider" in self.open:
            (flag,) = self._fresh(1)
            operator = Schneider(len(score), self.game.threshold)
            history = self._fresh(len(operator.history))
            self.history += history
            self.operations.append((operator, [*score, *history, flag]))
            self.levels.append(flag)
        if self.one_side is not None:
            self.levels.append(self.one_side)

    def _measured(self, score: list[int]) -> list[tuple[str, list[int]]]:
        *others, win = super()._measured(score)
        if self.game.rules.contract == NULL:
            return [*others, win]
        return [*others, ("score", score), ("levels", self.levels)]


class WideProgram(ListProgram):
    """A program of operators that leave all intermediate results in history qubits."""

    follow, trick, score = WideFollow, WideTrick, WideScore

    def _dealing(
        self, plan: DealPlan, free: dict[int, list[Slot]]
    ) -> Iterator[tuple[Operator | int, list[int]]]:
        (cards,) = plan.groups.values()
        slots = {owner: free[owner] for owner in plan.order}
        return WideDealing(self.width, slots).operations([self.codes.codes[c] for c in cards])


class _Lists(Encoding[TrickTakingGame]):
    """Every hand is a list of slots; a played card is swapped into the last slot and stays.

    The hands lie in the order of play of the current trick, so no operator depends on the leader:
    taking a trick brings the winner's hand to first place.

    Registers, m seats with h cards of w bits: `hand_0` … (h·w each, the leader's first),
    `skat`, `party` (a flag that travels with each hand), `history` (the record that keeps the
    program unitary), `score`, `work` (clean ancillas). Measured are `hands` (all slots), `skat`,
    `tricks` (the swaps of each trick) and `win`; the owners follow classically. Barriers lie
    where all qubits could be measured without changing any outcome.

    Attributes:
        writer: writes the program.
        scored: whether a bit for the party's win is measured.
        exchanges: the exchanges that a trick's bits stand for, by number of players.
    """

    family = TrickTakingGame
    judges = True
    writer: type[ListProgram] = ListProgram
    scored: bool = False
    exchanges: Mapping[int, tuple[Exchange, ...]] = EXCHANGES

    def supports(self, game: TrickTakingGame) -> bool:
        """Games in any rules, with class counts that can be dealt owner by owner."""
        return deal_plan(game) is not None

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        return self.writer(game, card_codes(game), scored=self.scored).build()

    def history(self, game: TrickTakingGame, measured: int) -> Played:
        """Return the game of measured bits, once the rules have judged it."""
        exchanges = self.exchanges[game.players]
        return measured_game(game, measured, exchanges, scored=self.scored)

    def outcome(self, game: TrickTakingGame, measured: int) -> int | None:
        """Return the outcome of the game that was played; see `Encoding`."""
        try:
            return game.outcome(self.history(game, measured).owners)
        except VerificationError:
            return None


@encoding("lists")
class Lists(_Lists):
    """Hands as lists, without a score on qubits."""

    place = 0


@encoding("lists-win")
class ListsWithWin(_Lists):
    """Hands as lists, with the party's score and a bit that says whether it has won."""

    place = 1
    scored = True


@encoding("lists-value")
class ListsWithValue(_Lists):
    """Like `lists-win`, with all that a game's value depends on: the score and its levels.

    Measured besides are `score`, points − threshold + 2^(S-1), whose top bit says "won", and
    `levels`: whether it is schneider, and whether it is schwarz, where the rules leave that open.
    """

    place = 101
    writer = ListValueProgram

    def observables(self, game: TrickTakingGame) -> Sequence[Observable]:
        """Return the game's, and its levels and value; see `Levels`."""
        levels = Levels(game)
        counted = (
            Observable("schneider", Kind.EVENT, levels.schneider),
            Observable("schwarz", Kind.EVENT, levels.schwarz),
        )
        value = Observable("value", Kind.NUMBER, levels.value, bounds=levels.bounds)
        return (*game.observables, *(counted if levels.counted else ()), value)

    def history(self, game: TrickTakingGame, measured: int) -> Played:
        """Replay the game that was measured, and hold its score and levels to the rules."""
        played = super().history(game, measured)
        slots = game.players * game.hand + game.skat
        others = slots * card_codes(game).width + game.hand * (game.players - 1)
        if measured >> others != value_bits(game, game.outcome(played.owners)):
            raise VerificationError("the measured score or levels contradict the game")
        return played


@encoding("lists-wide")
class WideLists(_Lists):
    """The fewest gates for large games, without a score on qubits: nothing is uncomputed.

    The results of comparisons, marks and counts stay on their qubits. Nothing interferes after
    the deal, so they are history like any other. Cards are dealt to groups of owners first. The
    bits of a trick tell whether the first follower has beaten the leader, and the second one the
    better of the two.
    """

    place = 103
    writer = WideProgram
    exchanges = {2: ((0, 1),), 3: ((0, 1), (0, 2))}  # noqa: RUF012

    def supports(self, game: TrickTakingGame) -> bool:
        """Games in which suit is followed, without class counts that leave a choice."""
        plan = deal_plan(game)
        return (
            plan is not None
            and len(plan.groups) == 1
            and game.winner_leads
            and card_codes(game).class_bits > 0
        )


@encoding("lists-win-wide")
class WideListsWithWin(WideLists):
    """The same with the party's score and a bit that says whether it has won."""

    place = 104
    scored = True
