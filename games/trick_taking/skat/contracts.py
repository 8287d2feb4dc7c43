"""Contracts of Skat: which game a declarer plays, and what was announced with it."""

from attrs import field, frozen

from compiler.errors import GameError
from games.trick_taking.rules.rules import CONTRACTS, GRAND, NULL, Rules

BASE_VALUES = {"D": 9, "H": 10, "S": 11, "C": 12, GRAND: 24}

NULL_VALUES = {(False, False): 23, (True, False): 35, (False, True): 46, (True, True): 59}
"""By whether it is played from the hand, and whether it is ouvert."""

NAMES = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds", GRAND: "grand", NULL: "null"}


@frozen
class Contract:
    """What a declarer plays, and has announced.

    In suit games and grands schwarz is announced with schneider only, ouvert with schwarz only,
    and all of that from the hand only, so that each implies those before it.

    Args:
        game: `C`, `S`, `H`, `D`, `grand` or `null`.
        hand: whether the skat stays where it is.
        schneider: whether schneider is announced.
        schwarz: whether schwarz is.
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
        """Which cards may be played, and which card takes a trick."""
        return Rules(self.game)

    def __str__(self) -> str:
        announced = ("hand", "schneider", "schwarz", "ouvert")
        return " ".join([NAMES[self.game], *(one for one in announced if getattr(self, one))])
