"""The database: its tables, its migrations, and copies of it."""
