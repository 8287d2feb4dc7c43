"""Circuits of the records: each is kept once, by its contents, for all that have chosen it.

While candidates compete, a candidate holds its own. Once one is chosen, its circuits go here, and
the others' are forgotten. Nothing else adds circuits, and only `workers.records.pruning` removes
any, so that nobody's is removed while somebody else is about to point at the same.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from workers.records.tables import CircuitRow, Compilation, now

INSERTS: Mapping[str, Callable[[type[CircuitRow]], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}
"""By the kind of database, what can insert a row unless it is there."""


def keep_chosen(session: Session, compilation: Compilation) -> None:
    """Keep the circuits of the candidate that was chosen, and forget all others'."""
    for candidate in compilation.candidates:
        if not candidate.chosen:
            candidate.native = candidate.logical = None
    chosen = compilation.chosen
    digests = _kept(session, chosen.native), _kept(session, chosen.logical)
    chosen.native = chosen.logical = None
    chosen.native_sha256, chosen.logical_sha256 = digests
    # They may have been looked for before, and not found.
    session.flush()
    session.expire(chosen, ["native_circuit", "logical_circuit"])


def _kept(session: Session, content: bytes | None) -> str | None:
    """Record a circuit unless it is, and return its digest."""
    if content is None:
        return None
    digest = sha256(content).hexdigest()
    row = INSERTS[session.get_bind().dialect.name](CircuitRow).values(
        digest=digest, created_at=now(), content=content
    )
    session.execute(row.on_conflict_do_nothing())
    return digest
