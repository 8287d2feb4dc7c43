"""What is kept of comparisons with other compilers."""

from datetime import datetime
from typing import Any

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from workers.records.tables.base import Record, now


class PeerResult(Record):
    """The best that one compiler made of one program; see `workers.peers.comparison.Result`."""

    __tablename__ = "peer_results"

    id: Mapped[int] = mapped_column(primary_key=True)
    created_at: Mapped[datetime] = mapped_column(default=now)
    comparison: Mapped[str] = mapped_column(String(40), index=True)
    """The same for all results of one run of `stichwerk peers`."""
    suite: Mapped[str] = mapped_column(String(40))
    program: Mapped[str] = mapped_column(String(200))
    """With its encoding, if it is a game."""
    form: Mapped[str] = mapped_column(String(20))
    target: Mapped[str] = mapped_column(String(80))
    peer: Mapped[str] = mapped_column(String(40))
    variant: Mapped[str] = mapped_column(String(80))
    """The seed or pipeline that made it."""
    two_qubit_gates: Mapped[int | None]
    """None, as the other figures, if there is no result, or all are refuted."""
    two_qubit_depth: Mapped[int | None]
    depth: Mapped[int | None]
    gates: Mapped[int | None]
    seconds: Mapped[float]
    """Of all of the compiler's calls together."""
    cpu_seconds: Mapped[float | None]
    """Of all threads and processes of these calls; None before it was measured."""
    swaps: Mapped[int | None]
    """The fewest that its routing alone took, where the optimum is known."""
    verified: Mapped[str] = mapped_column(String(20))
    """`exact`, `sampled`, `unverified`, `refuted` or `failed`."""
    holds: Mapped[str] = mapped_column(String(40))
    """For which inputs it is proven right."""
    versions: Mapped[dict[str, Any]]
    revision: Mapped[str | None] = mapped_column(String(60))
