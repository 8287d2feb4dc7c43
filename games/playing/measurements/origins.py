"""How measured outcomes were got, as a match keeps and tells it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from attrs import asdict, fields, frozen

from compiler.errors import GameError

LONGEST = 400
"""Characters of a text in an origin."""


class How(StrEnum):
    """The ways in which outcomes are got."""

    EXACT = "exact"
    """Drawn from the exact probabilities."""
    CERTAIN = "certain"
    """Nothing else could be measured, so nothing was."""
    SELECTED = "post-selected"
    """Of those shots of the circuit so far in which all that was known came out again."""
    AFRESH = "prepared afresh"
    """Of shots in which the collapsed state was prepared by itself, and measured."""


@frozen
class Origin:
    """How outcomes were got.

    Args:
        how: in which way.
        backend: that has run shots for it; empty if none has.
        job: that did.
        agreeing: shots among which one was drawn.
        shots: that were run.
        reason: why it was not got in the way that is tried before this one; empty if it is tried
            first.
    """

    how: How
    backend: str = ""
    job: int = 0
    agreeing: int = 0
    shots: int = 0
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return what is not empty."""
        return {name: value for name, value in asdict(self).items() if value}

    def told(self) -> str:
        """Return it for people."""
        drawn = (
            f"one of {self.agreeing:,} of {self.shots:,} shots on {self.backend}, job {self.job}"
        )
        match self.how:
            case How.EXACT:
                said = "drawn from the exact probabilities"
            case How.CERTAIN:
                said = "certain, so nothing was run"
            case How.SELECTED:
                said = f"post-selected, {drawn}"
            case How.AFRESH:
                said = f"state prepared afresh, {drawn}"
        return said + (f" ({self.reason})" if self.reason else "")


def origin_from_json(table: Mapping[str, Any]) -> Origin:
    """Return what `Origin.as_json` has written.

    Raises:
        GameError: if it has not.
    """
    kinds: Mapping[str, type] = {
        field.name: type(field.default) for field in fields(Origin) if field.name != "how"
    }
    how, rest = table.get("how"), {name: v for name, v in table.items() if name != "how"}
    wrong = [
        name
        for name, value in rest.items()
        if name not in kinds
        or type(value) is not kinds[name]
        or (value < 0 if isinstance(value, int) else not _is_line(value))
    ]
    if not isinstance(how, str) or how not in set(How) or wrong:
        raise GameError(
            f"origin: {str(dict(table))[:80]}: write how ({', '.join(How)}), and what else "
            f"is known of {', '.join(kinds)}"
        )
    return Origin(How(how), **rest)


def _is_line(text: object) -> bool:
    return isinstance(text, str) and text.isprintable() and len(text) <= LONGEST
