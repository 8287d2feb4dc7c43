"""Jobs in doubt and in quarantine, a ledger, limits of tokens, and who is at work.

Whatever must not be empty has a default in the database, so that programs of the version before
go on inserting while others are upgraded.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ledger",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("job_id", sa.Integer(), nullable=False),
        sa.Column("budget", sa.String(120), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("microusd", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name="fk_ledger_jobs"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_ledger_job_id", "ledger", ["job_id"])
    op.create_index("ix_ledger_budget", "ledger", ["budget"])
    op.create_table(
        "heartbeats",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("host", sa.String(200), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("queues", sa.JSON(), nullable=False),
        sa.Column("processes", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(60), nullable=False),
        sa.Column("revision", sa.String(60), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "provider_health",
        sa.Column("backend", sa.String(80), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("problem", sa.String(20), nullable=True),
        sa.Column("detail", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("backend"),
    )
    # Ids of simulated providers have repeated; an id belongs to the job that had it first.
    op.execute(
        "UPDATE jobs SET provider_id = provider_id || '#' || id WHERE EXISTS (SELECT 1 FROM jobs "
        "AS other WHERE other.provider_id = jobs.provider_id AND other.id < jobs.id)"
    )
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("asks", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(
            sa.Column("doubtful", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        batch_op.add_column(sa.Column("doubted", sa.JSON(), nullable=True))
        batch_op.add_column(sa.Column("refusal", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("fence", sa.String(200), nullable=True))
        batch_op.add_column(sa.Column("charged_microusd", sa.BigInteger(), nullable=True))
        batch_op.add_column(sa.Column("usage_seconds", sa.Double(), nullable=True))
        batch_op.add_column(sa.Column("quarantined", sa.String(), nullable=True))
        batch_op.create_unique_constraint("uq_jobs_provider_id", ["provider_id"])
        batch_op.create_index("ix_jobs_token_id_state_due_at", ["token_id", "state", "due_at"])
        held = {
            f"{name}_where": sa.text("lease_until IS NOT NULL") for name in ("sqlite", "postgresql")
        }
        batch_op.create_index("ix_jobs_lease_until", ["lease_until"], **held)
        # PostgreSQL would take it for the one above, and read past all jobs of other tokens.
        batch_op.drop_index("ix_jobs_due_at")
    # Nobody knows any more how a job that is still to be accepted was asked for.
    op.execute(
        "UPDATE jobs SET asks = 1, doubtful = (provider_id IS NULL) WHERE asked_at IS NOT NULL"
    )
    for budget in ("'day:' || {day}", "'tag:' || tag"):
        op.execute(
            "INSERT INTO ledger (at, job_id, budget, kind, microusd) SELECT submitted_at, id, "
            + budget.format(day=_day())
            + ", 'reserved', estimated_cost_microusd FROM jobs WHERE submitted_at IS NOT NULL "
            "AND estimated_cost_microusd IS NOT NULL AND "
            + ("tag <> ''" if "tag" in budget else "1 = 1")
        )
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.add_column(sa.Column("deaths", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("quarantined_at", sa.DateTime(timezone=True), nullable=True))
    with op.batch_alter_table("compilations", schema=None) as batch_op:
        batch_op.add_column(sa.Column("native_digest", sa.String(64), nullable=True))
        batch_op.create_index("ix_compilations_native_digest", ["native_digest"])
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.add_column(sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("day_budget_microusd", sa.BigInteger(), nullable=True))
        batch_op.add_column(sa.Column("calls_a_minute", sa.Integer(), nullable=True))
    with op.batch_alter_table("spending", schema=None) as batch_op:
        batch_op.alter_column("budget", existing_type=sa.String(100), type_=sa.String(120))


def _day() -> str:
    if op.get_bind().dialect.name == "sqlite":
        return "strftime('%Y-%m-%d', submitted_at)"
    return "to_char(submitted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')"


def downgrade() -> None:
    with op.batch_alter_table("spending", schema=None) as batch_op:
        batch_op.alter_column("budget", existing_type=sa.String(120), type_=sa.String(100))
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        for name in ("calls_a_minute", "day_budget_microusd", "expires_at"):
            batch_op.drop_column(name)
    with op.batch_alter_table("compilations", schema=None) as batch_op:
        batch_op.drop_index("ix_compilations_native_digest")
        batch_op.drop_column("native_digest")
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.drop_column("quarantined_at")
        batch_op.drop_column("deaths")
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.create_index("ix_jobs_due_at", ["due_at"])
        batch_op.drop_index("ix_jobs_lease_until")
        batch_op.drop_index("ix_jobs_token_id_state_due_at")
        batch_op.drop_constraint("uq_jobs_provider_id", type_="unique")
        for name in (
            "quarantined", "usage_seconds", "charged_microusd", "fence", "refusal", "doubted",
            "doubtful", "asks",
        ):  # fmt: skip
            batch_op.drop_column(name)
    for table in ("provider_health", "heartbeats", "ledger"):
        op.drop_table(table)
