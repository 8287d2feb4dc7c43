"""A seat's view of a match of Skat."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from compiler.words.plurals import how_many
from games.panels import Cell, Grid, Lines, Panel
from games.trick_taking.rules.rules import SUITS, TRUMP, Card, Rules, card_of
from games.trick_taking.skat.bidding.offers import HELD, Hand
from games.trick_taking.skat.progress import TAKE
from games.trick_taking.skat.records.position import Position
from games.trick_taking.skat.records.record import Turn
from games.trick_taking.skat.values import Contract
from play.view import RoundsView

PLACES = ("forehand", "middlehand", "rearhand")
SIGNS = dict(zip(SUITS, "♣♠♥♦", strict=True))
RED = "HD"
"""Suits that are shown in red."""
MAX_STORY = 8
"""Lines of the story that are shown."""


def sign(card: Card) -> str:
    """Return a card as it is shown."""
    return SIGNS[card.suit] + card.rank


def _cell(card: Card) -> Cell:
    return Cell(sign(card), "bad" if card.suit in RED else "plain", str(card))


def in_order(cards: Sequence[Card], rules: Rules) -> tuple[Card, ...]:
    """Return cards as players hold them: trumps first, the strongest of each suit first."""

    def place(card: Card) -> tuple[int, tuple[int, int]]:
        trump = rules.class_of(card) == TRUMP
        return 0 if trump else 1 + SUITS.index(card.suit), rules.weakness(card)

    return tuple(sorted(cards, key=place))


@frozen
class Finished:
    """A game that is over.

    Args:
        declarer: the player; None if all have passed.
        contract: the contract.
        points: the declarer's points.
        value: value on the list.
        scores: scores of all players after the game.
    """

    declarer: int | None
    contract: Contract | None
    points: int | None
    value: int
    scores: tuple[int, ...]


@frozen(eq=False)
class SkatView(RoundsView):
    """Own cards, the table, and the list.

    Args:
        dealt: the ten cards of the seat, and the skat if the seat has picked it up; None for a
            spectator.
        hand: the cards that the seat holds.
        discards: the cards that the seat has discarded.
        place: 0 if the seat leads first, 1 or 2; None for a spectator.
        turn: turn of the auction; None once it is over.
        bid: the highest bid so far.
        declarer: the player; None before there is one.
        contract: the contract.
        shown: the declarer's cards in an ouvert game.
        trick: players and their cards on the table.
        last_trick: the trick before.
        tricks: number of tricks of each player.
        taken: card points in these tricks.
        finished: games that are over.
        games: number of games of the match.
        position: the seat's knowledge, if it plays a card now.
    """

    dealt: Hand | None
    hand: tuple[Card, ...]
    discards: tuple[Card, ...]
    place: int | None
    turn: Turn | None
    bid: int
    declarer: int | None
    contract: Contract | None
    shown: tuple[Card, ...]
    trick: tuple[tuple[int, Card], ...]
    last_trick: tuple[tuple[int, Card], ...]
    tricks: tuple[int, ...]
    taken: tuple[int, ...]
    finished: tuple[Finished, ...]
    games: int
    position: Position | None

    def as_json(self, *, chances: bool = True) -> dict[str, Any]:
        """Return all of it; see `View`."""
        return self.json_of(
            *("games", "hand", "discards", "bid", "declarer", "contract", "shown"),
            *("trick", "last_trick", "tricks"),
        )

    def panels(self, *, chances: bool = True) -> Sequence[Panel]:
        """Return table, hand, list and story; see `View`."""
        taken = [f"{n} ({p})" for n, p in zip(self.tricks, self.taken, strict=True)]
        hands = [("Your hand", self.hand), ("The declarer's hand, which lies open", self.shown)]
        return [
            self.players_panel({"card": self._lying(), "tricks (card points)": taken,
                                "role": self._roles()}, "points of the match"),
            *[Grid(title, (), [list(map(_cell, cards))]) for title, cards in hands if cards],
            *[Lines("Discarded", [" ".join(map(sign, self.discards))])] * bool(self.discards),
            *[self._list()] * bool(self.finished),
            self.story_panel(MAX_STORY),
        ]  # fmt: skip

    def _lying(self) -> list[str]:
        cards = dict(self.trick)
        led = next(iter(cards), None)
        return [
            sign(cards[player]) + " (led)" * (player == led) if player in cards else ""
            for player in range(self.seats)
        ]

    def _roles(self) -> list[str]:
        game = "declarer" if self.contract is None else f"declarer: {self.contract}"
        return [
            game if player == self.declarer else PLACES[(player - self.number) % self.seats]
            for player in range(self.seats)
        ]

    def _list(self) -> Grid:
        columns = ("game", "declarer", "contract", "points", "value",
                   *(f"player {player}" for player in range(self.seats)))  # fmt: skip
        rows = [
            [number, *_written(game), *game.scores]
            for number, game in enumerate(self.finished, start=1)
        ]
        return Grid("Scores of all games (Seeger-Fabian)", columns,
                    [[Cell(str(cell)) for cell in row] for row in rows])  # fmt: skip

    @property
    def advises(self) -> bool:
        """True if the seat moves now; see `View`."""
        return bool(self.legal_moves) and self.dealt is not None

    def advice(self) -> Sequence[Panel]:
        """Return the advice on a card, or on bids and contracts; see `View`."""
        # Numba, which takes long to load, and few views need.
        from play.skat.advice import bidding_panels, card_panels

        if self.position is not None:
            return card_panels(self.position)
        if not self.advises or self.dealt is None or self.place is None:
            return ()
        return bidding_panels(self.dealt, self.place + 1, self.bid)

    def question(self) -> str:
        """Return the question to this seat; see `View`."""
        if not self.legal_moves:
            text = ""
        elif self.turn is not None:
            bids = f"bid {self.legal_moves[0]} or more, or pass"
            text = f"hold {self.turn.bid}, or pass" if self.turn.hears else bids
        elif TAKE in self.legal_moves:
            text = "pick up the skat, or announce a game from the hand"
        elif len(self.hand) > HELD:
            text = f"discard {how_many(len(self.hand) - HELD, 'card')}, one at a time"
        elif self.contract is None:
            text = f"announce a game that is worth {self.bid} at least"
        else:
            text = "play a card"
        return text

    def notation(self) -> str:
        """Return how a card is written; see `View`."""
        if self.turn is not None or self.contract is None or not self.legal_moves:
            return ""
        first = card_of(self.legal_moves[0])
        return f"such as '{first}' for {sign(first)}"

    def move_words(self, move: str) -> str:
        """Return the label of a button that plays a whole move; see `View`."""
        return "pick up the skat" if move == TAKE else move

    def action_words(self, action: str) -> str:
        """Return the label of a button for a card; see `View`."""
        return "Play" if self.contract else "Discard"


def _written(game: Finished) -> list[object]:
    if game.contract is None:
        return ["–", "all passed", "", 0]
    return [f"player {game.declarer}", game.contract, game.points, game.value]
