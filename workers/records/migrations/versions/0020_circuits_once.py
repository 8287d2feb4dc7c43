"""Circuits in a table of their own, each once and compressed; those that have lost are dropped.

What has not been decided between stays with its candidates.
"""

import zlib
from datetime import UTC, datetime
from hashlib import sha256

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

KINDS = ("native", "logical")


def upgrade() -> None:
    circuits = op.create_table(
        "circuits",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
    )
    with op.batch_alter_table("candidates", schema=None) as batch_op:
        for kind in KINDS:
            batch_op.add_column(sa.Column(f"pending_{kind}", sa.LargeBinary(), nullable=True))
            batch_op.add_column(sa.Column(f"{kind}_sha256", sa.String(64), nullable=True))
            batch_op.create_foreign_key(
                f"fk_candidates_{kind}", "circuits", [f"{kind}_sha256"], ["digest"]
            )
            batch_op.create_index(f"ix_candidates_{kind}_sha256", [f"{kind}_sha256"])
    for kind in KINDS:
        _move(op.get_bind(), circuits, kind)
    with op.batch_alter_table("candidates", schema=None) as batch_op:
        for kind in KINDS:
            batch_op.drop_column(kind)


def downgrade() -> None:
    with op.batch_alter_table("candidates", schema=None) as batch_op:
        for kind in KINDS:
            batch_op.add_column(sa.Column(kind, sa.LargeBinary(), nullable=True))
    for kind in KINDS:
        _move_back(op.get_bind(), kind)
    with op.batch_alter_table("candidates", schema=None) as batch_op:
        for kind in KINDS:
            batch_op.drop_index(f"ix_candidates_{kind}_sha256")
            batch_op.drop_constraint(f"fk_candidates_{kind}", type_="foreignkey")
            batch_op.drop_column(f"{kind}_sha256")
            batch_op.drop_column(f"pending_{kind}")
    op.drop_table("circuits")


def _candidates(kind: str) -> sa.TableClause:
    columns = ("id", "compilation_id", "chosen", kind, f"pending_{kind}", f"{kind}_sha256")
    return sa.table("candidates", *(sa.column(name) for name in columns))


def _move(connection: sa.Connection, circuits: sa.Table, kind: str) -> None:
    rows = _candidates(kind)
    # A connection of SQLite does not know a boolean from a number without being told.
    chosen = sa.cast(rows.c.chosen, sa.Boolean)
    kept = _ids(connection, rows, rows.c[kind].is_not(None), chosen)
    for candidate in kept:
        content = connection.execute(
            sa.select(rows.c[kind]).where(rows.c.id == candidate)
        ).scalar_one()
        digest = sha256(content).hexdigest()
        known = sa.select(circuits.c.digest).where(circuits.c.digest == digest)
        if connection.scalar(known) is None:
            connection.execute(
                circuits.insert().values(
                    digest=digest, created_at=datetime.now(UTC), content=zlib.compress(content, 9)
                )
            )
        connection.execute(
            rows.update().where(rows.c.id == candidate).values({f"{kind}_sha256": digest})
        )
    decided = sa.select(rows.c.compilation_id).where(chosen)
    open_ = rows.c.compilation_id.not_in(decided)
    for candidate in _ids(connection, rows, rows.c[kind].is_not(None), open_):
        content = connection.execute(
            sa.select(rows.c[kind]).where(rows.c.id == candidate)
        ).scalar_one()
        connection.execute(
            rows.update()
            .where(rows.c.id == candidate)
            .values({f"pending_{kind}": zlib.compress(content, 9)})
        )


def _move_back(connection: sa.Connection, kind: str) -> None:
    rows = _candidates(kind)
    circuits = sa.table("circuits", sa.column("digest"), sa.column("content"))
    pending, digest = rows.c[f"pending_{kind}"], rows.c[f"{kind}_sha256"]
    for candidate in _ids(connection, rows, sa.or_(pending.is_not(None), digest.is_not(None))):
        content = connection.execute(
            sa.select(sa.func.coalesce(circuits.c.content, pending))
            .select_from(rows.outerjoin(circuits, circuits.c.digest == digest))
            .where(rows.c.id == candidate)
        ).scalar_one()
        connection.execute(
            rows.update().where(rows.c.id == candidate).values({kind: zlib.decompress(content)})
        )


def _ids(
    connection: sa.Connection, rows: sa.TableClause, *which: sa.ColumnElement[bool]
) -> list[int]:
    return list(connection.scalars(sa.select(rows.c.id).where(*which).order_by(rows.c.id)))
