"""Which records a report is made of, and how many of each kind at most."""

from datetime import datetime
from typing import TypeVarTuple

from attrs import frozen
from sqlalchemy import Select
from sqlalchemy.orm import InstrumentedAttribute

from workers.records.tables import Compilation, Job

Ts = TypeVarTuple("Ts")

MOST_RUNS = 2000
"""Scored jobs in plots over time."""
MOST_COMPILATIONS = 1000
MOST_KINDS = 60
"""Newest runs and compilations of which there is one row or one picture each."""
MOST_TRIED = 1000
"""Candidates that are listed."""
MOST_TIMED = 2000
"""Jobs of which the events are read."""
MOST_FAILED = 500
MOST_ESTIMATES = 500
MOST_JOBS = 300
"""Jobs that can be looked into."""
MOST_PEER_RESULTS = 500
MOST_PROGRAMS = 40
"""Programs, each in one encoding, that are read again to judge outcomes and draw circuits."""


@frozen
class Scope:
    """What a user wants to see.

    Args:
        since: nothing recorded before; None for all.
        program: only this program; None for all.
    """

    since: datetime | None = None
    program: str | None = None

    def jobs(self, rows: Select[*Ts]) -> Select[*Ts]:
        """Return a query of jobs with these only."""
        return self._within(rows, Job.created_at, Job.program)

    def compilations(self, rows: Select[*Ts]) -> Select[*Ts]:
        """Return a query of compilations with these only."""
        return self._within(rows, Compilation.created_at, Compilation.program)

    def _within(
        self,
        rows: Select[*Ts],
        at: InstrumentedAttribute[datetime],
        program: InstrumentedAttribute[str],
    ) -> Select[*Ts]:
        if self.since is not None:
            rows = rows.where(at >= self.since)
        if self.program is not None:
            rows = rows.where(program == self.program)
        return rows
