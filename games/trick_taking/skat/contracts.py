"""Contracts of Skat: a declarer's game and its announcements."""

from typing import NoReturn

from attrs import field, frozen

from compiler.errors import GameError, nearest
from games.trick_taking.rules.cards import SUITS, suit_of
from games.trick_taking.rules.rules import CONTRACTS, GRAND, NULL, Rules

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
        for name, higher, lower in (
            ("schneider", self.schneider, self.hand),
            ("schwarz", self.schwarz, self.schneider),
            ("ouvert", self.ouvert, self.schwarz),
        ):
            if higher and not lower:
                needs = {"schneider": "hand", "schwarz": "schneider", "ouvert": "schwarz"}[name]
                raise GameError(f"{NAMES[self.game]}: {name} is announced with {needs} only")

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
