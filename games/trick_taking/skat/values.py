"""Contracts of Skat and their values: matadors, multipliers, the cost of an overbid game."""

from collections.abc import Collection
from itertools import pairwise
from typing import NoReturn

from attrs import field, frozen

from compiler.errors import GameError, nearest
from games.trick_taking.rules.rules import (
    CONTRACTS,
    GRAND,
    NULL,
    POINTS,
    RANKS,
    SUITS,
    Card,
    Rules,
    suit_of,
)

BASE_VALUES = {"D": 9, "H": 10, "S": 11, "C": 12, GRAND: 24}

NULL_VALUES = {(False, False): 23, (True, False): 35, (False, True): 46, (True, True): 59}
"""Value by whether the null is played from the hand, and whether it is ouvert."""

ANNOUNCEMENTS = ("hand", "schneider", "schwarz", "ouvert")

NAMES = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds", GRAND: "grand", NULL: "null"}


@frozen
class Contract:
    """A declarer's game and its announcements.

    In suit games and grands schwarz is announced with schneider only, ouvert with schwarz only,
    and all of that from the hand only, so that each implies those before it.

    Args:
        game: `C`, `S`, `H`, `D`, `grand` or `null`.
        hand: whether the declarer leaves the skat.
        schneider: whether schneider is announced.
        schwarz: whether schwarz is announced.
        ouvert: whether the declarer's cards lie open.

    Raises:
        GameError: if there is no such game, or it cannot be announced so.

    References:
        International Skat Order, on announcing games.
    """

    game: str = field()
    hand: bool = False
    schneider: bool = False
    schwarz: bool = False
    ouvert: bool = False

    @game.validator
    def _known(self, _: object, game: str) -> None:
        if game not in CONTRACTS:
            raise GameError(f"contract '{game}': must be one of {', '.join(CONTRACTS)}")

    def __attrs_post_init__(self) -> None:
        if self.game == NULL:
            if self.schneider or self.schwarz:
                raise GameError("a null has neither schneider nor schwarz")
            return
        for lower, higher in pairwise(ANNOUNCEMENTS):
            if getattr(self, higher) and not getattr(self, lower):
                raise GameError(f"{NAMES[self.game]}: {higher} is announced with {lower} only")

    @property
    def rules(self) -> Rules:
        """Rules of the game: legal cards, and the winner of a trick."""
        return Rules(self.game)

    def __str__(self) -> str:
        announced = (name for name in ANNOUNCEMENTS if getattr(self, name))
        return " ".join([NAMES[self.game], *announced])


def contract_of(text: str) -> Contract:
    """Read a contract such as `S hand`; schwarz implies schneider and hand.

    Raises:
        GameError: if the game or an announcement is unknown.
    """
    game, *announced = text.split() or [""]
    announced = [word.casefold() for word in announced]
    unknown = [word for word in announced if word not in ANNOUNCEMENTS]
    if unknown:
        near = nearest(unknown[0], ANNOUNCEMENTS)
        _refuse(text, f"; did you mean '{near}'?" if near else "")
    chosen = _game_of(text, game)
    if chosen == NULL:
        return Contract(chosen, **dict.fromkeys(announced, True))
    most = max((ANNOUNCEMENTS.index(word) for word in announced), default=-1)
    return Contract(chosen, *(place <= most for place in range(len(ANNOUNCEMENTS))))


def _game_of(text: str, game: str) -> str:
    if game.casefold() in (GRAND, NULL):
        return game.casefold()
    try:
        return suit_of(game)
    except GameError as error:
        near = nearest(game, (GRAND, NULL))
        _refuse(text, f"; did you mean '{near}'?" if near else f"; '{game}' {error}")


def _refuse(text: str, hint: str) -> NoReturn:
    raise GameError(
        f"contract '{text}': write one of {', '.join((*SUITS, GRAND, NULL))}, then any of "
        f"{', '.join(ANNOUNCEMENTS)}{hint}"
    )


DECK = tuple(Card(suit, rank) for suit in SUITS for rank in RANKS)
NEEDED, SCHNEIDER, ALL_POINTS = 61, 90, 120
TRICKS = 10
BIDS = sorted(
    {base * factor for base in (9, 10, 11, 12) for factor in range(2, 19)}
    | {24 * factor for factor in range(2, 12)}
    | set(NULL_VALUES.values())
)
"""All numbers that are the value of some game, from 18 to 264."""


def trumps(game: str) -> list[Card]:
    """Return the trumps of a suit game or a grand, the strongest first."""
    jacks = [Card(suit, "J") for suit in SUITS]
    return jacks if game == GRAND else jacks + [Card(game, rank) for rank in RANKS if rank != "J"]


def matadors(cards: Collection[Card], game: str) -> int:
    """Return the number of a declarer's matadors, negative without them; 0 for a null.

    Args:
        cards: the twelve cards of the declarer, the skat among them, even in a hand game.
        game: a suit, `grand` or `null`.
    """
    if game == NULL:
        return 0
    held = [card in cards for card in trumps(game)]
    run = next((place for place, has in enumerate(held) if has != held[0]), len(held))
    return run if held[0] else -run


@frozen
class Outcome:
    """Result of the play of a game.

    Args:
        points: the declarer's points, the skat's among them, 0 to 120.
        tricks: the declarer's tricks, 0 to 10.

    Raises:
        GameError: if a number is out of its range.
    """

    points: int
    tricks: int

    def __attrs_post_init__(self) -> None:
        for name, value, most in (
            ("points", self.points, ALL_POINTS),
            ("tricks", self.tricks, TRICKS),
        ):
            if not 0 <= value <= most:
                raise GameError(f"{name} = {value}: must be from 0 to {most}")

    @property
    def schneider(self) -> bool:
        """Return whether one side has 30 points or fewer."""
        return self.points >= SCHNEIDER or self.points <= ALL_POINTS - SCHNEIDER

    @property
    def schwarz(self) -> bool:
        """Return whether one side has no trick."""
        return self.tricks in (0, TRICKS)


@frozen
class Settlement:
    """Game value for the declarer.

    Args:
        value: value on the list, negative and doubled if the game is lost.
        won: whether the declarer has won.
        overbid: whether the game is worth less than the bid.
    """

    value: int
    won: bool
    overbid: bool


def game_value(contract: Contract, matadors: int, outcome: Outcome) -> int:
    """Return the value of a game, before it counts as won or lost.

    It is base value × (|matadors| + 1 + steps), with a step each for hand, schneider, schwarz,
    these two once more if announced, and ouvert; a null's is fixed. Announced levels count as
    reached.

    References:
        International Skat Order, on game values.
    """
    if contract.game == NULL:
        return NULL_VALUES[contract.hand, contract.ouvert]
    steps = [
        contract.hand,
        outcome.schneider or contract.schneider,
        contract.schneider,
        outcome.schwarz or contract.schwarz,
        contract.schwarz,
        contract.ouvert,
    ]
    return BASE_VALUES[contract.game] * (abs(matadors) + 1 + sum(steps))


def settled(
    contract: Contract,
    matadors: int,
    outcome: Outcome,
    bid: int,
    twelve: Collection[Card] = (),
) -> Settlement:
    """Return the game value for the declarer.

    A game is lost if its declarer has too few points, fails an announcement, takes a trick in a
    null, or has bid more than the game is worth. A lost game counts double. An overbid one counts
    as the least multiple of its base value that is not below the bid. An overbid null counts as
    the cheapest suit game or grand that covers the bid, see `instead_of_null`.

    Args:
        contract: the contract.
        matadors: number as `matadors` returns it; ignored for a null.
        outcome: result of the play.
        bid: the declarer's highest bid, 18 at least.
        twelve: the declarer's cards, by which an overbid null counts. Without them every suit
            counts with or without one matador, the least possible value.

    Raises:
        GameError: if the bid is invalid.

    References:
        International Skat Order, on overbid games and on announcements that the bid rules out.
    """
    if bid not in BIDS:
        raise GameError(f"bid {bid}: must be the value of a game, such as 18, 20, 22, 23, 24")
    value = game_value(contract, matadors, outcome)
    overbid = value < bid
    won = _achieved(contract, outcome) and not overbid
    if won:
        return Settlement(value, won, overbid)
    if overbid:
        value = (
            instead_of_null(contract.hand, bid, twelve)
            if contract.game == NULL
            else _covering(BASE_VALUES[contract.game], bid)
        )
    return Settlement(-2 * value, won, overbid)


def instead_of_null(hand: bool, bid: int, twelve: Collection[Card]) -> int:
    """Return the value of the cheapest suit game or grand that is not below a bid.

    Args:
        hand: whether the skat was left.
        bid: the bid that exceeds the null's value.
        twelve: the declarer's cards; empty if they are unknown.
    """
    tops = {game: abs(matadors(twelve, game)) if twelve else 1 for game in BASE_VALUES}
    return min(
        max(base * (tops[game] + 1 + hand), _covering(base, bid))
        for game, base in BASE_VALUES.items()
    )


def _covering(base: int, bid: int) -> int:
    """Return the least multiple of a base value that is not below a bid."""
    return -(-bid // base) * base


def _achieved(contract: Contract, outcome: Outcome) -> bool:
    if contract.game == NULL:
        return outcome.tricks == 0
    if contract.schwarz:
        return outcome.tricks == TRICKS
    return outcome.points >= (SCHNEIDER if contract.schneider else NEEDED)


def points_of(cards: Collection[Card]) -> int:
    """Return the points of some cards."""
    return sum(POINTS[card.rank] for card in cards)


LOST_SCHWARZ, LOST_SCHNEIDER, LOST, WON, WON_SCHNEIDER, WON_SCHWARZ = range(6)
"""The declarer has no trick; a trick; 31 points; 61; 90; every trick. A null is lost or won."""
LEVELS = 6
NO_SCHNEIDER = ALL_POINTS - SCHNEIDER + 1

_OUTCOMES = (
    Outcome(0, 0),
    Outcome(NO_SCHNEIDER - 1, 1),
    Outcome(NEEDED - 1, 5),
    Outcome(NEEDED, 6),
    Outcome(SCHNEIDER, 9),
    Outcome(ALL_POINTS, TRICKS),
)
_NULL_LOST, _NULL_WON = Outcome(0, 1), Outcome(0, 0)


def outcome_of(contract: Contract, level: int) -> Outcome:
    """Return an outcome of a level."""
    if contract.game == NULL:
        return _NULL_WON if level >= WON else _NULL_LOST
    return _OUTCOMES[level]


def needed_level(contract: Contract) -> int:
    """Return the lowest level on which a contract is won, if it is not overbid."""
    if contract.schwarz:
        return WON_SCHWARZ
    return WON_SCHNEIDER if contract.schneider else WON
