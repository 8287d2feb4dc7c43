"""What seats were last shown, as JSON."""

from typing import Any

from attrs import define, field

from service.play.kept_match import KeptMatch
from service.play.recent import Recent

MOST_CACHED = 32


@define
class Views:
    """Views that were asked for last, one for each seat of a version of a match.

    Pages ask again and again, and one of 256 games on 19 × 19 takes some 0.2 s to write.
    """

    _known: Recent[tuple[str, int, int | None], dict[str, Any]] = field(
        factory=lambda: Recent(MOST_CACHED)
    )

    def of(self, kept: KeptMatch, seat: int | None) -> dict[str, Any]:
        """Return all that a seat may see; None is somebody who only watches."""
        key = kept.id, kept.version, seat
        found = self._known.get(key)
        if found is not None:
            return found
        return self._known.keep(key, kept.match.view(seat).as_json(chances=kept.chances))
