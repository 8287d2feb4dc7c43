"""Options of rules: each one of a few words, by name; and numbers of rules."""

from collections.abc import Mapping, Sequence
from typing import Any, Self, get_args, get_type_hints

from attrs import AttrsInstance, asdict, fields

from compiler.errors import GameError


def whole_number(name: str, value: object, least: int, most: int) -> int:
    """Return a number of a game's rules.

    Raises:
        GameError: if it is no whole number in this range.
    """
    if type(value) is not int or not least <= value <= most:
        raise GameError(f"{name} = {value!r:.40}: must be a whole number from {least} to {most}")
    return value


class RuleOptions(AttrsInstance):
    """Options for the points that a game's paper leaves open: frozen fields of literal types.

    Raises:
        GameError: if an option has no such value.
    """

    def __attrs_post_init__(self) -> None:
        for name, values in self.choices().items():
            if getattr(self, name) not in values:
                raise GameError(
                    f"{name} = {getattr(self, name)!r}: must be {' or '.join(map(repr, values))}"
                )

    @classmethod
    def choices(cls) -> Mapping[str, tuple[str, ...]]:
        """Return the values of each option, the default first."""
        hints = get_type_hints(cls)
        return {field.name: get_args(hints[field.name]) for field in fields(cls)}

    @classmethod
    def from_names(cls, chosen: Mapping[str, Any], besides: Sequence[str] = ()) -> Self:
        """Return options by name and value.

        Args:
            chosen: all given options.
            besides: further valid names, for the message; the caller has read these already.

        Raises:
            GameError: naming the unknown option or the invalid value.
        """
        defaults = cls.choices()
        for name in chosen:
            if name not in defaults:
                names = ", ".join((*defaults, *besides))
                raise GameError(f"{str(name)[:40]}: unknown option; known: {names}")
        return cls(**chosen)

    def changed(self) -> dict[str, str]:
        """Return the options that are not the default."""
        defaults = self.choices()
        return {name: value for name, value in asdict(self).items() if value != defaults[name][0]}
