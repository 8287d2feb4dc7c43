"""Keep the calibrations that circuits are compiled for."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    """Add a compilation's calibration, and the age beyond which a job is compiled again."""
    op.add_column("compilations", sa.Column("calibration_digest", sa.String(64)))
    op.add_column("compilations", sa.Column("calibrated_at", sa.DateTime(timezone=True)))
    op.add_column("jobs", sa.Column("max_calibration_hours", sa.Double))
