"""Compilations with their chosen candidates, the newest first, and their other candidates."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen
from sqlalchemy import Row, and_, func, select
from sqlalchemy.orm import Session

from compiler.certainty import how_verified
from workers.attributes import build
from workers.records.queries.runs import (
    CONFIGURATION_COLUMNS,
    CONFIGURATION_KEY,
    Configuration,
    configuration_of,
)
from workers.records.queries.scope import NOT_FOR_A_ROUND
from workers.records.tables import Candidate, Compilation, PeerResult

CHOSEN = and_(Candidate.compilation_id == Compilation.id, Candidate.chosen)
CHOICES = select(
    Compilation.id, Compilation.created_at, Compilation.program_verified, Compilation.versions,
    Compilation.compile_seconds, Compilation.revision, *CONFIGURATION_COLUMNS, Candidate,
).join(Candidate, CHOSEN)  # fmt: skip


@frozen
class Compiled:
    """A compilation and its chosen candidate.

    Args:
        id: of the record.
        at: when it was made.
        configuration: program, target and options.
        choice: the chosen candidate.
        verified: how far program and circuit are proven; see `Compilation.verified`.
        seconds: by the clock, for all candidates; None if not measured.
        versions: of the packages that made it.
        revision: of Stichwerk.
    """

    id: int
    at: datetime
    configuration: Configuration
    choice: Candidate
    verified: str
    seconds: float | None
    versions: Mapping[str, str]
    revision: str | None

    @property
    def from_zero(self) -> bool:
        """Return whether the chosen circuit holds from |0…0⟩ only."""
        return self.choice.from_zero


def read_compiled(session: Session, limit: int) -> tuple[list[Compiled], int]:
    """Return the newest compilations that chose a candidate, and how many there are in all.

    Circuits of an estimate's rounds are left out.
    """
    newest = CHOICES.where(NOT_FOR_A_ROUND).order_by(Compilation.id.desc()).limit(limit)
    count = select(func.count()).select_from(Compilation).join(Candidate, CHOSEN)
    count = count.where(NOT_FOR_A_ROUND)
    return [_compiled(row) for row in session.execute(newest)], session.execute(count).scalar_one()


def read_compiled_of(session: Session, ids: Collection[int]) -> dict[int, Compiled]:
    """Return these compilations by id, the newest first; those without a choice are missing."""
    rows = CHOICES.where(Compilation.id.in_(ids)).order_by(Compilation.id.desc())
    return {row.id: _compiled(row) for row in session.execute(rows)}


def newest_compilations(session: Session, limit: int) -> tuple[list[Compiled], int]:
    """Return the newest compilation of every configuration, the newest first.

    Compilations without a choice and circuits of an estimate's rounds are left out.

    Args:
        session: of the records.
        limit: number of compilations.

    Returns:
        The compilations, and the number of older ones beyond the limit.
    """
    newest = func.max(Compilation.id)
    ids = session.scalars(
        select(newest)
        .join(Candidate, CHOSEN)
        .where(NOT_FOR_A_ROUND)
        .group_by(*CONFIGURATION_KEY)
        .order_by(newest.desc())
    ).all()
    return list(read_compiled_of(session, ids[:limit]).values()), max(0, len(ids) - limit)


def read_tried(session: Session, compilations: Iterable[int], limit: int) -> Sequence[Candidate]:
    """Return the candidates of some compilations, in the order in which they were tried."""
    rows = (
        select(Candidate)
        .where(Candidate.compilation_id.in_(compilations))
        .order_by(Candidate.compilation_id.desc(), Candidate.id)
        .limit(limit)
    )
    return session.scalars(rows).all()


def newest_peer_results(session: Session) -> list[PeerResult]:
    """Return the newest result of each compiler for each case, in the order of their records."""
    newest = select(func.max(PeerResult.id)).group_by(
        PeerResult.suite, PeerResult.program, PeerResult.form, PeerResult.target, PeerResult.peer
    )
    rows = select(PeerResult).where(PeerResult.id.in_(newest)).order_by(PeerResult.id)
    return list(session.scalars(rows))


def _compiled(row: Row[Any]) -> Compiled:
    verified = how_verified(row.program_verified, row.Candidate.verified)
    return build(
        Compiled, row, at=row.created_at, configuration=configuration_of(row),
        choice=row.Candidate, verified=verified, seconds=row.compile_seconds,
    )  # fmt: skip
