"""Matches in the database: one row each, which is changed only by whoever has read it last."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from attrs import evolve, field, frozen
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from games.match import Match
from service.api.dependencies import Service
from service.play.errors import NoRoomError, UnknownMatchError
from service.play.kept_match import KeptMatch, Replays
from service.play.seats import MATCH, Seat
from workers.clock import database_now, database_time
from workers.records.tables import MatchRow

KEPT = timedelta(days=30)
"""Since anything has happened in a match."""
LEFT_ALONE = timedelta(hours=1)
"""After which a match makes room for a new one if there are too many."""


@frozen(eq=False)
class Store:
    """Where matches are kept.

    Args:
        service: what the server works with.
    """

    service: Service
    replays: Replays = field(factory=Replays, init=False)

    def find(self, match_id: str) -> KeptMatch:
        """Return a match as it is.

        Raises:
            UnknownMatchError: if there is none.
        """
        with self.service.reading() as session:
            row = session.get(MatchRow, match_id) if MATCH.fullmatch(match_id) else None
        if row is None:
            raise UnknownMatchError("there is no such match or seat; ask for the link again")
        return self.replays.of(row)

    def add(
        self,
        match_id: str,
        match: Match[Any],
        seats: Sequence[Seat],
        chances: bool,
        backend: str = "",
    ) -> None:
        """Keep a new match; see `KeptMatch`.

        Raises:
            NoRoomError: if there are too many, and all of them are being played.
        """
        record = match.record()
        row = MatchRow(
            id=match_id,
            game=record["game"],
            setup=record["setup"],
            log=record["log"],
            seats=[
                {"bot": seat.bot} if seat.digest is None else {"digest": seat.digest}
                for seat in seats
            ],
            chances=chances,
            backend=backend,
        )
        with self.service.writing() as session:
            row.created_at = row.moved_at = database_now(session)
            self._make_room(session)
            session.add(row)
            session.commit()

    def replace(self, kept: KeptMatch, match: Match[Any], *, by_person: bool) -> KeptMatch | None:
        """Keep what has happened in a match; None if something else has, meanwhile.

        Args:
            kept: the match as it was read.
            match: what became of it.
            by_person: whether a person has moved.
        """
        after = evolve(kept, match=match, version=kept.version + 1)
        changes: dict[str, Any] = {
            "version": after.version,
            "log": match.record()["log"],
            "moved_at": database_time(),
        }
        with self.service.writing() as session:
            changed = session.execute(
                update(MatchRow)
                .where(MatchRow.id == kept.id, MatchRow.version == kept.version)
                .values(**changes, **({"begun": True} if by_person else {}))
                .returning(MatchRow.id)
            ).first()
            session.commit()
        return None if changed is None else self.replays.keep(after)

    def _make_room(self, session: Session) -> None:
        at = database_now(session)
        session.execute(delete(MatchRow).where(MatchRow.moved_at < at - KEPT))
        count = session.scalar(select(func.count()).select_from(MatchRow)) or 0
        if count < self.service.settings.most_matches:
            return
        # First those in which nobody has ever moved: whoever starts many displaces no one's.
        left = session.scalars(
            select(MatchRow.id)
            .where(MatchRow.moved_at < at - LEFT_ALONE)
            .order_by(MatchRow.begun, MatchRow.moved_at)
            .limit(1)
        ).first()
        if left is None:
            raise NoRoomError(f"{count} matches are being played, and more are not; come later")
        session.execute(delete(MatchRow).where(MatchRow.id == left))
