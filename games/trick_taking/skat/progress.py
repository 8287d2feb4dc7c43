"""A game of Skat in progress: bids, the skat, the contract, and the cards."""

from collections.abc import Sequence
from random import Random

from attrs import evolve, frozen

from compiler.errors import GameError
from games.trick_taking.rules.rules import CONTRACTS, Card, card_of
from games.trick_taking.skat.bidding.offers import HELD, SKAT, announcements
from games.trick_taking.skat.records.checking import Checked, Situation, check, situation
from games.trick_taking.skat.records.record import HOLD, PASS, Record, Turn, auction
from games.trick_taking.skat.values import BIDS, DECK, Contract, Outcome, Settlement, contract_of

TAKE = "take"
WORDS = {
    PASS: "pass passe passen weg",
    HOLD: "hold yes ja halten",
    TAKE: "take skat aufnehmen",
}
"""Calls in English and German; the first is the one that is shown."""
CALLS = {word: call for call, words in WORDS.items() for word in (call, *words.split())}


def call_text(call: str) -> str:
    """Return a call as it is shown."""
    return WORDS[call].split()[0] if call in WORDS else call


def read_move(text: str) -> str:
    """Return a move in the one form that all ways of writing it share.

    Raises:
        GameError: if it is no call, bid, card or contract.
    """
    word = text.strip().casefold()
    if word in CALLS:
        return call_text(CALLS[word])
    if word.isascii() and word.isdigit():
        return word
    try:
        return str(card_of(text))
    except GameError as error:
        try:
            return str(contract_of(text))
        except GameError:
            raise GameError(str(error)) from error


@frozen
class Progress:
    """A game so far; seat 0 leads first.

    Args:
        record: the deal, the contract, the discard and the plays.
        calls: calls of the auction.
        taken: whether the declarer has picked up the skat.
    """

    record: Record
    calls: tuple[str, ...] = ()
    taken: bool = False

    @classmethod
    def dealt(cls, number: int, random: Random) -> "Progress":
        """Return a game whose cards are dealt.

        Args:
            number: number of the game, from 1.
            random: source of chance.
        """
        cards = random.sample(DECK, len(DECK))
        hands = [cards[HELD * seat : HELD * (seat + 1)] for seat in range(3)]
        return cls(Record(number, hands, cards[3 * HELD :]))

    @property
    def turn(self) -> Turn | None:
        """The turn of the auction; None once it is over."""
        return self._auction()[0]

    @property
    def checked(self) -> Checked | None:
        """State of the play after the moves; None before a contract."""
        return check(self.record)

    @property
    def result(self) -> tuple[Outcome, Settlement] | None:
        """Outcome and value for the declarer; None before the end, or if all passed."""
        checked = self.checked
        if checked is None or checked.outcome is None or checked.settlement is None:
            return None
        return checked.outcome, checked.settlement

    @property
    def over(self) -> bool:
        """True if all have passed, or the game is won or lost."""
        return self.record.passed or self.result is not None

    @property
    def seat(self) -> int | None:
        """The seat to move; None at the end."""
        if self.over:
            return None
        if self.turn is not None:
            return self.turn.seat
        return self.record.declarer if self.record.contract is None else self.situation.seat

    @property
    def situation(self) -> Situation:
        """All cards, once there is a contract."""
        contract, declarer = self.record.contract, self.record.declarer
        assert contract is not None and declarer is not None
        return situation(self.record, contract, declarer)

    def hand(self, seat: int) -> Sequence[Card]:
        """Return the cards that a seat holds, a declarer's with the skat that was picked up."""
        if self.record.contract is not None:
            return self.situation.hands[seat]
        own = seat == self.record.declarer and self.taken
        cards = [*self.record.hands[seat], *(self.record.skat if own else ())]
        return [card for card in cards if not (own and card in self.record.discards)]

    def moves(self) -> list[str]:
        """Return the moves of the seat to move; of higher bids the next one only."""
        turn, seat = self.turn, self.seat
        if seat is None:
            return []
        if turn is not None:
            higher = [str(bid) for bid in BIDS if bid > turn.bid][:1]
            return [*([call_text(HOLD)] if turn.hears else higher), call_text(PASS)]
        if self.record.contract is not None:
            now = self.situation
            hand, rules = now.hands[seat], self.record.contract.rules
            led = rules.class_of(now.table[0]) if now.table else ""
            follows = [card for card in hand if rules.class_of(card) == led]
            return [str(card) for card in follows or hand]
        if self.taken and len(self.record.discards) < SKAT:
            return [str(card) for card in self.hand(seat)]
        plain = [Contract(game, hand=not self.taken) for game in CONTRACTS]
        contracts = [str(announced) for each in plain for announced in announcements(each)]
        return contracts if self.taken else [TAKE, *contracts]

    def after(self, move: str) -> "Progress":
        """Return the game after a move.

        Args:
            move: move as `read_move` returns it.

        Raises:
            GameError: if it is not possible now.
        """
        turn, moves, record = self.turn, self.moves(), self.record
        call = CALLS.get(move, move)
        if move not in moves and not (turn is not None and turn.allows(call)):
            raise GameError(f"{move}: not possible now. Possible: {', '.join(moves)}")
        if turn is not None:
            return self._called(call)
        if move == TAKE:
            return evolve(self, taken=True)
        if record.contract is not None:
            assert self.seat is not None
            played = (self.seat, card_of(move))
            return evolve(self, record=evolve(record, plays=(*record.plays, played)))
        if self.taken and len(record.discards) < SKAT:
            return evolve(self, record=evolve(record, discards=(*record.discards, card_of(move))))
        away = record.discards if self.taken else record.skat
        return evolve(self, record=evolve(record, contract=contract_of(move), discards=away))

    def _auction(self) -> tuple[Turn | None, int, int | None]:
        """Return the turn, or None with the highest bid and the declarer."""
        turns = auction()
        turn = next(turns)
        try:
            for call in self.calls:
                turn = turns.send(call)
        except StopIteration as end:
            return None, *end.value
        return turn, turn.bid, None

    def _called(self, call: str) -> "Progress":
        called = evolve(self, calls=(*self.calls, call))
        turn, bid, declarer = called._auction()
        if turn is not None:
            return called
        passed = declarer is None
        return evolve(called, record=evolve(self.record, bid=bid, declarer=declarer, passed=passed))
