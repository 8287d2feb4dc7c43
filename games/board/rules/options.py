"""What the paper leaves open, or says in several ways: one option each."""

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_type_hints

from attrs import asdict, fields, frozen

from compiler.errors import GameError


@frozen
class Options:
    """The rules where there is a choice; the defaults are what we think the paper means.

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

    def __attrs_post_init__(self) -> None:
        for name, values in VALUES.items():
            if getattr(self, name) not in values:
                raise GameError(
                    f"{name} = {getattr(self, name)!r}: must be {' or '.join(map(repr, values))}"
                )

    @classmethod
    def from_names(cls, chosen: Mapping[str, Any]) -> "Options":
        """Return options by name and value, as people and files write them.

        Raises:
            GameError: naming what is unknown.
        """
        for name in chosen:
            if name not in VALUES:
                raise GameError(f"{str(name)[:40]}: unknown option; known: {', '.join(VALUES)}")
        return cls(**chosen)

    def changed(self) -> dict[str, str]:
        """Return the options that are not the default."""
        return {name: value for name, value in asdict(self).items() if value != VALUES[name][0]}


VALUES: Mapping[str, tuple[str, ...]] = {
    one.name: get_args(get_type_hints(Options)[one.name]) for one in fields(Options)
}
"""What each option may be, the default first."""
