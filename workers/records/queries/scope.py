"""Restriction of queries to a time and a program."""

from datetime import datetime
from typing import TypeVarTuple

from attrs import frozen
from sqlalchemy import Select
from sqlalchemy.orm import InstrumentedAttribute

from workers.records.tables import Compilation, Job

Ts = TypeVarTuple("Ts")


@frozen
class Scope:
    """Records that a user wants to see.

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
