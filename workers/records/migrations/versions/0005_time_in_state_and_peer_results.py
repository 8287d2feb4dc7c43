"""When jobs entered their states, what other compilers made, and indexes for the metrics."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "peer_results",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("comparison", sa.String(40), nullable=False),
        sa.Column("suite", sa.String(40), nullable=False),
        sa.Column("program", sa.String(200), nullable=False),
        sa.Column("form", sa.String(20), nullable=False),
        sa.Column("target", sa.String(80), nullable=False),
        sa.Column("peer", sa.String(40), nullable=False),
        sa.Column("variant", sa.String(80), nullable=False),
        sa.Column("two_qubit_gates", sa.Integer(), nullable=True),
        sa.Column("two_qubit_depth", sa.Integer(), nullable=True),
        sa.Column("depth", sa.Integer(), nullable=True),
        sa.Column("gates", sa.Integer(), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("verified", sa.String(20), nullable=False),
        sa.Column("holds", sa.String(40), nullable=False),
        sa.Column("versions", sa.JSON(), nullable=False),
        sa.Column("revision", sa.String(60), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_peer_results_comparison", "peer_results", ["comparison"])
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("state_since", sa.DateTime(timezone=True), nullable=True))
    op.execute(
        "UPDATE jobs SET state_since = COALESCE(finished_at, "
        "(SELECT MAX(at) FROM events WHERE job_id = jobs.id), created_at)"
    )
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.alter_column(
            "state_since", existing_type=sa.DateTime(timezone=True), nullable=False
        )
        batch_op.create_index(
            "ix_jobs_state_backend_compilation_id", ["state", "backend", "compilation_id", "id"]
        )
    op.create_index(
        "ix_jobs_waiting",
        "jobs",
        ["state", "backend", "lease_until", "state_since", "due_at"],
        sqlite_where=sa.text("due_at IS NOT NULL"),
        postgresql_where=sa.text("due_at IS NOT NULL"),
    )
    op.create_index(
        "ix_candidates_chosen",
        "candidates",
        ["compilation_id"],
        sqlite_where=sa.text("chosen = 1"),
        postgresql_where=sa.text("chosen"),
    )


def downgrade() -> None:
    op.drop_index("ix_candidates_chosen", "candidates")
    op.drop_index("ix_jobs_waiting", "jobs")
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.drop_index("ix_jobs_state_backend_compilation_id")
        batch_op.drop_column("state_since")
    op.drop_table("peer_results")
