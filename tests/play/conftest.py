"""The database and the worker of `tests/workers`, for jobs of matches."""

from tests.workers.conftest import context, engine, session  # noqa: F401 - fixtures
