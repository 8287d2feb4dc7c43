"""What seats were last shown, as JSON."""

from collections import OrderedDict
from threading import Lock
from typing import Any

from attrs import define, field

from service.play.kept_match import KeptMatch

MOST_CACHED = 32


@define
class Views:
    """Views that were asked for last, one for each seat of a version of a match.

    Pages ask again and again, and one of 256 games on 19 × 19 takes some 0.2 s to write.
    """

    _known: OrderedDict[tuple[str, int, int | None], dict[str, Any]] = field(factory=OrderedDict)
    _lock: Any = field(factory=Lock)

    def of(self, kept: KeptMatch, seat: int | None) -> dict[str, Any]:
        """Return all that a seat may see; None is somebody who only watches."""
        key = kept.id, kept.version, seat
        with self._lock:
            found = self._known.get(key)
        if found is None:
            found = kept.match.view(seat).as_json(chances=kept.chances)
        with self._lock:
            self._known[key] = found
            self._known.move_to_end(key)
            if len(self._known) > MOST_CACHED:
                self._known.popitem(last=False)
        return found
