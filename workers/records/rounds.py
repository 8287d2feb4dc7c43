"""Which rows are no rounds of others: lists tell of the job, and that of its rounds."""

from sqlalchemy import ColumnElement, exists

from workers.records.tables import Compilation, Job

NO_ROUND: ColumnElement[bool] = Job.parent_id.is_(None)
"""That a job is no round of another."""

NOT_FOR_A_ROUND: ColumnElement[bool] = ~exists().where(
    Job.compilation_id == Compilation.id, Job.parent_id.is_not(None)
)
"""That a compilation is of no round: such circuits are as many as their jobs ask for."""
