"""Results of the commands `skat bid`, `skat value` and `skat records`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Self

from service.results.model import ResultModel

if TYPE_CHECKING:
    from games.trick_taking.skat.bidding.advice import Bidding
    from games.trick_taking.skat.bidding.offers import Offer
    from games.trick_taking.skat.records.checking import Checked
    from games.trick_taking.skat.records.record import Record
    from games.trick_taking.skat.records.scoring import CheckedRecords
    from games.trick_taking.skat.scores import GameWorth


class Mean(ResultModel):
    """Mean and its 95 % interval."""

    value: float
    low: float
    high: float


class OpenCards(ResultModel):
    """Share of deals that the declarer wins with open cards, and its 95 % interval."""

    p_win: float
    low: float
    high: float
    deals: int


class ContractAdvice(ResultModel):
    """Expected value of a contract."""

    contract: str
    away: Sequence[str]
    """Cards discarded; none where the skat decides"""
    superposed: float | None
    """Share of random games that are won"""
    open_cards: OpenCards
    schneider: float | None
    """Share of deals; null for a null"""
    schwarz: float | None
    """Share of deals; null for a null"""
    least_value: int
    """Of the game if it is won"""
    largest_value: int
    score: Mean
    """By Seeger and Fabian, at this bid"""
    highest_bid: int | None
    """With which all of the interval is above 0"""

    @classmethod
    def of(cls, offer: "Offer", bid: int) -> Self:
        """Return the value of a contract at a bid."""
        chance = offer.open_cards
        least, largest = offer.values
        return cls.from_objects(
            offer,
            contract=str(offer.contract),
            away=list(map(str, offer.away)),
            open_cards=OpenCards(
                p_win=float(chance.value),
                low=chance.low,
                high=chance.high,
                deals=len(offer.samples),
            ),
            least_value=least,
            largest_value=largest,
            score=offer.score(bid),
            highest_bid=offer.highest_bid() or None,
        )


class BidAdvice(ResultModel, commands="skat bid"):
    """Advice on the bid and the contract of a hand."""

    schema_version: ClassVar[int] = 3

    hand: Sequence[str]
    skat: Sequence[str]
    """Empty before it is taken"""
    place: int
    """1 for the player who leads first"""
    bid: int
    seed: int
    deals: int
    """Of each contract"""
    supported: bool
    """True if samples are enough for a recommendation"""
    messages: Sequence[str]
    """The advice in sentences"""
    recommended: str | None
    """Contract; null for passing"""
    highest_bid: int | None
    """Up to which to bid; null for passing"""
    contracts: Sequence[ContractAdvice]
    """The best first"""

    @classmethod
    def of(cls, bidding: "Bidding") -> Self:
        """Return the advice on a hand."""
        best, offers = bidding.recommendation, bidding.ranked
        return cls.from_objects(
            best,
            bidding,
            hand=list(map(str, bidding.hand.cards)),
            skat=list(map(str, bidding.hand.skat)),
            deals=len(offers[0].samples),
            messages=bidding.messages(),
            recommended=str(best.offer.contract) if best.supported and best.plays else None,
            highest_bid=best.highest_bid or None,
            contracts=[ContractAdvice.of(offer, bidding.bid) for offer in offers],
        )


class BreakEven(ResultModel):
    """Probability of winning from which a game is worth playing."""

    exact: str
    """As a fraction"""
    decimal: float


class GameValue(ResultModel, commands="skat value"):
    """Value of a game of Skat."""

    contract: str
    points: int
    tricks: int
    bid: int
    won: bool
    overbid: bool
    value: int
    """Counted for the declarer, doubled if the game is lost"""
    game_value: int
    """Of the game if it is won"""
    scores: Mapping[str, Sequence[int]]
    """Of each player, by kind of list"""
    break_even: Mapping[str, BreakEven]
    """By kind of list"""

    @classmethod
    def of(cls, worth: "GameWorth") -> Self:
        """Return the value of a game."""
        return cls.from_objects(
            worth.outcome,
            worth.settlement,
            worth,
            contract=str(worth.contract),
            break_even={
                name: BreakEven(exact=str(share), decimal=float(share))
                for name, share in worth.break_even.items()
            },
        )


class RecordedGame(ResultModel):
    """Game of a record; null where the moves do not tell."""

    game: int
    """Its number in the file"""
    passed: bool
    """True if all have passed"""
    declarer: int | None = None
    contract: str | None = None
    matadors: int | None = None
    """Negative without how many"""
    bid: int | None = None
    points: int | None = None
    tricks: int | None = None
    value: int | None = None
    won: bool | None = None
    overbid: bool | None = None
    agrees: bool | None = None
    """True if the server says the same"""
    note: str
    """Reason why the record ends early"""

    @classmethod
    def of(cls, record: "Record", checked: "Checked | None") -> Self:
        """Return a game with the consequences of its moves."""
        if checked is None:
            return cls(game=record.number, passed=record.passed, note=record.note)
        return cls.from_objects(
            checked.outcome,
            checked.settlement,
            checked,
            record,
            game=record.number,
            passed=False,
            contract=str(checked.contract),
        )


class UnreadGame(ResultModel):
    """Game that cannot be read."""

    game: int
    """Its number in the file"""
    reason: str


class ScoreList(ResultModel, commands="skat records"):
    """Score list of the games of a file."""

    games: Sequence[RecordedGame]
    unread: Sequence[UnreadGame]
    seeger_fabian: Sequence[int]
    """Score of each seat"""

    @classmethod
    def of(cls, records: "CheckedRecords") -> Self:
        """Return the score list of checked games."""
        return cls(
            games=[RecordedGame.of(record, checked) for record, checked in records.games],
            unread=[UnreadGame(game=game.number, reason=game.reason) for game in records.unread],
            seeger_fabian=records.scores(),
        )
