"""Orders, jobs that wait in a queue, what happened to them, budgets, tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

MICRO = 10**6


def upgrade() -> None:
    op.create_table(
        "orders",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("program", sa.String(200), nullable=False),
        sa.Column("source", sa.LargeBinary(), nullable=False),
        sa.Column("target", sa.String(80), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("lease_owner", sa.String(80), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "spending",
        sa.Column("budget", sa.String(100), nullable=False),
        sa.Column("reserved_microusd", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("budget"),
    )
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("job_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_events_job_id", "events", ["job_id"])
    with op.batch_alter_table("compilations", schema=None) as batch_op:
        batch_op.add_column(sa.Column("order_digest", sa.String(64), nullable=True))
        batch_op.add_column(
            sa.Column("any_input", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        batch_op.create_index("ix_compilations_order_digest", ["order_digest"])
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.alter_column("compilation_id", existing_type=sa.Integer(), nullable=True)
        batch_op.add_column(sa.Column("order_digest", sa.String(64), nullable=True))
        batch_op.add_column(sa.Column("program", sa.String(200), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("target", sa.String(80), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("idempotency_key", sa.String(200), nullable=True))
        batch_op.add_column(sa.Column("tag", sa.String(80), nullable=True))
        batch_op.add_column(sa.Column("token_id", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("retry_of", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("due_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("lease_owner", sa.String(80), nullable=True))
        batch_op.add_column(sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("version", sa.Integer(), nullable=False, server_default="1"))
        batch_op.add_column(sa.Column("failures", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("provider_address", sa.String(200), nullable=True))
        batch_op.add_column(sa.Column("provider_state", sa.String(20), nullable=True))
        batch_op.add_column(sa.Column("queue_position", sa.Integer(), nullable=True))
        batch_op.add_column(
            sa.Column("cancel_requested", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        batch_op.add_column(sa.Column("estimated_cost_microusd", sa.BigInteger(), nullable=True))
        batch_op.add_column(sa.Column("max_cost_microusd", sa.BigInteger(), nullable=True))
        batch_op.add_column(sa.Column("raw_result", sa.LargeBinary(), nullable=True))
    op.execute(
        "UPDATE jobs SET estimated_cost_microusd = "
        f"CAST(ROUND(CAST(estimated_cost_usd AS NUMERIC) * {MICRO}) AS BIGINT), "
        "program = (SELECT program FROM compilations WHERE id = jobs.compilation_id), "
        "target = (SELECT target FROM compilations WHERE id = jobs.compilation_id)"
    )
    # What a command was busy with when it died had no queue to go on in.
    op.execute("UPDATE jobs SET state = 'failed' WHERE state NOT IN ('done', 'failed')")
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.drop_column("estimated_cost_usd")
        batch_op.drop_index("ix_jobs_backend")
        batch_op.create_unique_constraint("uq_jobs_idempotency_key", ["idempotency_key"])
        batch_op.create_foreign_key("fk_jobs_orders", "orders", ["order_digest"], ["digest"])
        batch_op.create_foreign_key("fk_jobs_tokens", "tokens", ["token_id"], ["id"])
        batch_op.create_foreign_key("fk_jobs_jobs", "jobs", ["retry_of"], ["id"])
        for columns in (("backend", "id"), ("state", "id"), ("tag", "id")):
            batch_op.create_index(f"ix_jobs_{columns[0]}_id", list(columns))
        for column in ("order_digest", "created_at", "due_at"):
            batch_op.create_index(f"ix_jobs_{column}", [column])
        for column in ("id", "state"):
            batch_op.create_index(f"ix_jobs_token_id_{column}", ["token_id", column])


def downgrade() -> None:
    op.execute(
        "DELETE FROM scores WHERE job_id IN (SELECT id FROM jobs WHERE compilation_id IS NULL)"
    )
    op.drop_table("events")
    op.execute("DELETE FROM jobs WHERE compilation_id IS NULL")
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("estimated_cost_usd", sa.String(20), nullable=False, server_default="0")
        )
        for column in ("order_digest", "created_at", "due_at", "token_id_id", "token_id_state"):
            batch_op.drop_index(f"ix_jobs_{column}")
        for column in ("backend", "state", "tag"):
            batch_op.drop_index(f"ix_jobs_{column}_id")
        batch_op.create_index("ix_jobs_backend", ["backend"])
        for name, kind in (
            ("fk_jobs_orders", "foreignkey"),
            ("fk_jobs_tokens", "foreignkey"),
            ("fk_jobs_jobs", "foreignkey"),
            ("uq_jobs_idempotency_key", "unique"),
        ):
            batch_op.drop_constraint(name, type_=kind)
    op.execute(
        "UPDATE jobs SET estimated_cost_usd = "
        f"CAST(COALESCE(estimated_cost_microusd, 0) / {MICRO}.0 AS VARCHAR(20))"
    )
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.alter_column("compilation_id", existing_type=sa.Integer(), nullable=False)
        for column in (
            "order_digest", "program", "target", "idempotency_key", "tag", "token_id", "retry_of",
            "due_at", "asked_at", "lease_owner", "lease_until", "version", "failures",
            "provider_address", "provider_state", "queue_position", "cancel_requested",
            "estimated_cost_microusd",
            "max_cost_microusd",
            "raw_result",
        ):  # fmt: skip
            batch_op.drop_column(column)
    with op.batch_alter_table("compilations", schema=None) as batch_op:
        batch_op.drop_index("ix_compilations_order_digest")
        batch_op.drop_column("order_digest")
        batch_op.drop_column("any_input")
    op.drop_table("spending")
    op.drop_table("tokens")
    op.drop_table("orders")
