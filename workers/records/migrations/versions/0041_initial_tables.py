"""First revision, from which databases are upgraded. New databases: `workers.records.database`."""

revision = "0041"
down_revision = None


def upgrade() -> None:
    """Nothing: the models make the tables of new databases."""
