"""Which compilations chose the same native circuit."""

from contextlib import suppress

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from compiler.errors import CircuitFileError
from compiler.formats.circuit_files import read_qpy
from compiler.native_digest import native_digest
from workers.records.tables import Candidate, Compilation, Job

MOST_FILLED = 500
"""Digests that are made up for at once; each takes milliseconds."""


def digest_of(chosen: Candidate) -> str | None:
    """Return the digest of a candidate's native circuit, None if that was not kept."""
    if chosen.native is None:
        return None
    return native_digest(read_qpy(chosen.native, "native"))


def fill_native_digests(session: Session) -> None:
    """Record the digests of circuits that have run and were chosen before digests were kept.

    The newest compilations come first, and no more than `MOST_FILLED` of them. One without a
    digest is still known by its number; see `native_key`.
    """
    rows = session.execute(
        select(Compilation, Candidate)
        .join(Candidate)
        .where(
            Compilation.native_digest.is_(None),
            Candidate.chosen,
            or_(Candidate.native_sha256.is_not(None), Candidate.pending_native.is_not(None)),
            select(Job.id).where(Job.compilation_id == Compilation.id).exists(),
        )
        .order_by(Compilation.id.desc())
        .limit(MOST_FILLED)
    )
    for compilation, chosen in rows.all():
        # What this version cannot read goes without a digest.
        with suppress(CircuitFileError):
            compilation.native_digest = digest_of(chosen)
    session.commit()


def native_key(digest: str | None, compilation_id: int) -> str:
    """Return what tells a native circuit from all others.

    Args:
        digest: of the circuit, where it is known.
        compilation_id: of the compilation that chose it: one compilation, one circuit.
    """
    return digest or f"compilation {compilation_id}"
