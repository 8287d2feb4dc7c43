"""What is kept of every score."""

from typing import TYPE_CHECKING

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from workers.records.base import Record

if TYPE_CHECKING:
    from workers.records.jobs import Job


class ScoreRow(Record):
    """One score of a job; see `compiler.scoring.Score`."""

    __tablename__ = "scores"
    __table_args__ = (UniqueConstraint("job_id", "kind"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    job_id: Mapped[int] = mapped_column(ForeignKey("jobs.id"), index=True)
    kind: Mapped[str] = mapped_column(String(40))
    """`raw` or `post_selected`; with readout errors undone, `mitigated` or
    `mitigated_post_selected`."""
    shots: Mapped[int]
    hellinger_fidelity: Mapped[float | None]
    normalized_fidelity: Mapped[float | None]
    tvd: Mapped[float | None]
    legal_fraction: Mapped[float]
    p_win: Mapped[float]
    p_win_low: Mapped[float]
    p_win_high: Mapped[float]
    p_win_exact: Mapped[float | None]
    points: Mapped[float | None]
    points_exact: Mapped[float | None]

    job: Mapped["Job"] = relationship(back_populates="scores")
