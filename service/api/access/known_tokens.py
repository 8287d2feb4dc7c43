"""Digests of all tokens in memory, so that a flood of invalid ones costs the database little."""

import threading
from collections.abc import Callable
from time import monotonic

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from workers.accounts.tokens import digest, digests
from workers.records.database import at_once

PAUSE_SECONDS = 0.05
SHARE = 0.05
"""Of the time, which reading the digests may take."""


class KnownTokens:
    """The digests of all tokens; safe to be shared by threads.

    Args:
        engine: of the database.
        clock: returns seconds.
    """

    def __init__(self, engine: Engine, clock: Callable[[], float] = monotonic) -> None:
        self._engine = engine
        self._clock = clock
        self._digests: frozenset[str] = frozenset()
        self._read_again_at = 0.0
        self._lock = threading.Lock()

    def __contains__(self, token: str) -> bool:
        """Tell whether a token exists, expired and revoked ones too.

        One that was created a moment ago may be missing; it is there a second later.
        """
        wanted = digest(token)
        if wanted not in self._digests:
            with self._lock:
                self._read()
        return wanted in self._digests

    def _read(self) -> None:
        begun = self._clock()
        if begun < self._read_again_at:
            return
        with Session(at_once(self._engine)) as session:
            self._digests = digests(session)
        ended = self._clock()
        self._read_again_at = ended + max(PAUSE_SECONDS, (ended - begun) / SHARE)
