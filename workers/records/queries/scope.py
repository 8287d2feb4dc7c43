"""Conditions on rows of jobs and compilations by their parent jobs."""

from sqlalchemy import ColumnElement, exists
from sqlalchemy.orm import aliased

from workers.jobs.states import JobKind
from workers.records.tables import Compilation, Job

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
