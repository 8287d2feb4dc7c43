"""Which rows are no rounds of others: lists tell of the job, and that of its rounds."""

from sqlalchemy import ColumnElement, exists
from sqlalchemy.orm import aliased

from workers.jobs.states import JobKind
from workers.records.tables import Compilation, Job

NO_ROUND: ColumnElement[bool] = Job.parent_id.is_(None)
"""That a job is no round of another."""

_parent = aliased(Job)
NOT_FOR_A_ROUND: ColumnElement[bool] = ~exists().where(
    Job.compilation_id == Compilation.id,
    Job.parent_id == _parent.id,
    Job.run_options.is_(None),
    _parent.kind != JobKind.BATCH,
)
"""That a compilation is of no round: such circuits are as many as their jobs ask for.

The parts of a batch are what somebody has asked for, and count; and what is treated against noise
was compiled for the raw run.
"""
