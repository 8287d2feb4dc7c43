"""What is kept of every score."""

from typing import Any

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from workers.records.tables.base import Record


class ScoreRow(Record):
    """One score of a job; see `compiler.scores.scoring.Score`."""

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

    observables: Mapped[list["ObservableRow"]] = relationship(
        order_by="ObservableRow.place", lazy="selectin", cascade="all, delete-orphan"
    )

    @property
    def figures(self) -> dict[str, Any]:
        """All of it but which job and kind it is of, as JSON has it."""
        return {
            "shots": self.shots,
            "hellinger_fidelity": self.hellinger_fidelity,
            "normalized_fidelity": self.normalized_fidelity,
            "tvd": self.tvd,
            "legal_fraction": self.legal_fraction,
            "observables": {one.name: one.figures for one in self.observables},
        }


class ObservableRow(Record):
    """One observable of a score; see `compiler.scores.scoring.Estimate`."""

    __tablename__ = "observables"
    __table_args__ = (UniqueConstraint("score_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    score_id: Mapped[int] = mapped_column(ForeignKey("scores.id"))
    place: Mapped[int]
    """Its place among the observables of its program, 0 the most important."""
    name: Mapped[str] = mapped_column(String(40))
    kind: Mapped[str] = mapped_column(String(20))
    """See `compiler.judge.Kind`."""
    measured: Mapped[float | None]
    low: Mapped[float | None]
    high: Mapped[float | None]
    exact: Mapped[float | None]

    @property
    def figures(self) -> dict[str, Any]:
        """What is told of it, as JSON has it."""
        return {
            "kind": self.kind,
            "measured": self.measured,
            "low": self.low,
            "high": self.high,
            "exact": self.exact,
        }
