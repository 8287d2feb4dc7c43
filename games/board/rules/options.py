"""Options for the points that the paper leaves open or states in several ways."""

from typing import Literal

from attrs import frozen

from games.options import RuleOptions


@frozen
class Options(RuleOptions):
    """Options of the rules; the defaults are our reading of the paper.

    Args:
        targets: whether a stone may be put where a point is empty in `every` game, or where it
            is in `some` game.
        counter: whether a counter move acts where the control has a stone of the `opponent`, a
            stone of `any` colour, or, as the paper's gates B and W do, where it is `empty`.
        captures: of Weiqi: `x`, the only unitary one, X of the captured colour on the captured
            points in all games; `all`, these stones leave all games; `game`, they leave the games
            in which they are captured.
        scheme: whether the board is on classical computers, which count games (`cwc`), or on a
            quantum one (`cqc`).

    Raises:
        GameError: if an option has no such value.
    """

    targets: Literal["every", "some"] = "every"
    counter: Literal["opponent", "any", "empty"] = "opponent"
    captures: Literal["all", "x", "game"] = "all"
    scheme: Literal["cwc", "cqc"] = "cwc"
