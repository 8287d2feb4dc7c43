"""Restriction of queries to a time, a program and a token, and to rows without a parent job."""

from datetime import datetime
from typing import TypeVarTuple

from attrs import frozen
from sqlalchemy import ColumnElement, Select, exists
from sqlalchemy.orm import InstrumentedAttribute, aliased

from workers.jobs.states import JobKind
from workers.records.tables import Compilation, Job

Ts = TypeVarTuple("Ts")


@frozen
class Scope:
    """Records that a user wants to see.

    Args:
        since: nothing recorded before; None for all.
        program: only this program; None for all.
        token_id: only jobs of this token, and all compilations; None for all.
    """

    since: datetime | None = None
    program: str | None = None
    token_id: int | None = None

    def jobs(self, rows: Select[*Ts]) -> Select[*Ts]:
        """Return a query of jobs with these only."""
        if self.token_id is not None:
            rows = rows.where(Job.token_id == self.token_id)
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


NO_ROUND: ColumnElement[bool] = Job.parent_id.is_(None)
"""Condition that a job is no child of another."""

_parent = aliased(Job)
NOT_FOR_A_ROUND: ColumnElement[bool] = ~exists().where(
    Job.compilation_id == Compilation.id,
    Job.parent_id == _parent.id,
    Job.run_options.is_(None),
    _parent.kind != JobKind.BATCH,
)
"""Condition that a compilation is of no round: such circuits are as many as their jobs need.

The jobs of a batch are requests of a user, and count; circuits that are treated against noise were
compiled for the raw run.
"""
