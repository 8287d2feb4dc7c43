"""What was asked for last, kept for when it is asked for again."""

from collections import OrderedDict
from threading import Lock
from typing import Any, Generic, TypeVar

from attrs import define, field

K = TypeVar("K")
V = TypeVar("V")


@define
class Recent(Generic[K, V]):
    """Values by key, for any number of threads; what nobody has asked for longest is forgotten.

    Args:
        most: values that are kept.
    """

    most: int
    _known: OrderedDict[K, V] = field(factory=OrderedDict, init=False)
    _lock: Any = field(factory=Lock, init=False)

    def get(self, key: K) -> V | None:
        """Return a value; None if there is none any more."""
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
            return self._known.get(key)

    def keep(self, key: K, value: V) -> V:
        """Keep a value, and return it."""
        with self._lock:
            self._known[key] = value
            self._known.move_to_end(key)
            if len(self._known) > self.most:
                self._known.popitem(last=False)
        return value
