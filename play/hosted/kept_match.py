"""Stored matches: seats, their secrets, and replays of their logs."""

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from hmac import compare_digest
from threading import Lock
from typing import Any, Generic, TypeVar

from attrs import define, field, frozen

from compiler.errors import StichwerkError
from play.match import Match
from play.match_log import Moved
from play.playable import Bot, playables


class UnknownMatchError(StichwerkError):
    """Unknown match, or a secret that opens none of its seats: both give the same error."""


class MoveConflictError(StichwerkError):
    """A move that comes too late or too early, or differs from the one that was made."""


class NoRoomError(StichwerkError):
    """Too many matches to start another one, or too many simultaneous moves in a match."""


MATCH = re.compile("[0-9a-f]{32}")


@frozen
class Seat:
    """A seat; exactly one of these is there.

    Args:
        bot: name of the bot.
        digest: SHA-256 of the secret, which itself is kept nowhere: 256 random bits need no salt.
    """

    bot: str | None = None
    digest: str | None = None


def digest(secret: str) -> str:
    """Return the stored hash of a secret."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def seat_with(secret: str, seats: Sequence[Seat]) -> int | None:
    """Return the seat that a secret opens, None if there is none.

    The run time does not depend on the seat.
    """
    result = None
    hashed = digest(secret)
    for number, seat in enumerate(seats):
        if seat.digest is not None and compare_digest(seat.digest, hashed):
            result = number
    return result


K = TypeVar("K")
V = TypeVar("V")


@define
class Recent(Generic[K, V]):
    """Thread-safe cache of values by key; it drops the least recently used value.

    Args:
        most: maximum number of values.
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


@frozen
class KeptMatch:
    """A match as it is in the database.

    Args:
        id: its name in links.
        version: changes with every change of the match.
        match: the match.
        seats: occupant of each seat.
        chances: whether probabilities are shown.
        backend: backend of the measurements; empty for the exact simulator.
        waiting: the pending measurement; empty if there is none, or before the first look at it.
    """

    id: str
    version: int
    match: Match[Any]
    seats: Sequence[Seat]
    chances: bool
    backend: str = ""
    waiting: str = ""

    @property
    def bots(self) -> Mapping[int, str]:
        """The names of the bots, by seat."""
        return {place: seat.bot for place, seat in enumerate(self.seats) if seat.bot is not None}

    def sitting(self) -> dict[int, Bot[Any]]:
        """Return the bots themselves, by seat."""
        kinds = playables[self.match.game].bots
        return {place: kinds[name]() for place, name in self.bots.items()}

    @property
    def thinking(self) -> bool:
        """Return whether a bot, a measurement or a look at a machine's state is due."""
        match = self.match
        look = self.backend and match.unseen
        return bool(match.awaited or look or self.bots.keys() & {*match.to_move})

    def moves_of(self, seat: int) -> list[str]:
        """Return the moves of a seat so far."""
        return [
            entry.move
            for entry in self.match.log
            if isinstance(entry, Moved) and entry.seat == seat
        ]
