"""Observables of scores in a table of their own: of card games, whether the party wins, and points.

What was recorded is kept. Points had no interval.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

OF_CARD_GAMES = ("p_win", "p_win_low", "p_win_high", "p_win_exact", "points", "points_exact")


def upgrade() -> None:
    op.create_table(
        "observables",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("score_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("measured", sa.Double(), nullable=True),
        sa.Column("low", sa.Double(), nullable=True),
        sa.Column("high", sa.Double(), nullable=True),
        sa.Column("exact", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["score_id"], ["scores.id"], name="fk_observables_scores"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("score_id", "name"),
    )
    columns = "INSERT INTO observables (score_id, place, name, kind, measured, low, high, exact) "
    op.execute(
        f"{columns} SELECT id, 0, 'win', 'event', p_win, p_win_low, p_win_high, p_win_exact "
        "FROM scores"
    )
    op.execute(
        f"{columns} SELECT id, 1, 'points', 'number', points, NULL, NULL, points_exact FROM scores"
    )
    with op.batch_alter_table("scores", schema=None) as batch_op:
        for name in OF_CARD_GAMES:
            batch_op.drop_column(name)


def downgrade() -> None:
    with op.batch_alter_table("scores", schema=None) as batch_op:
        for name in OF_CARD_GAMES:
            batch_op.add_column(sa.Column(name, sa.Double(), nullable=True))
    for name, columns in (
        ("win", {"p_win": "measured", "p_win_low": "low", "p_win_high": "high"}
         | {"p_win_exact": "exact"}),
        ("points", {"points": "measured", "points_exact": "exact"}),
    ):  # fmt: skip
        chosen = ", ".join(
            f"{old} = (SELECT {new} FROM observables "
            f"WHERE score_id = scores.id AND name = '{name}')"
            for old, new in columns.items()
        )
        op.execute(f"UPDATE scores SET {chosen}")
    # Without a card game's observables there was no score.
    op.execute("DELETE FROM scores WHERE p_win IS NULL")
    with op.batch_alter_table("scores", schema=None) as batch_op:
        for name in ("p_win", "p_win_low", "p_win_high"):
            batch_op.alter_column(name, existing_type=sa.Double(), nullable=False)
    op.drop_table("observables")
