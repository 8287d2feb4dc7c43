"""Connections that are taken up again."""

import pytest
from sqlalchemy import Engine, event, func, select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from workers.records import database
from workers.records.database import ANSWER_SECONDS, at_once, bounded_engine, open_database
from workers.records.tables import Token


@pytest.fixture
def left(postgres_url: str) -> Engine:
    """An engine whose only connection has been left, and whose server has cut it since."""
    engine, other = open_database(postgres_url), open_database(postgres_url)
    with engine.connect() as connection:
        pid = connection.scalar(text("SELECT pg_backend_pid()"))
    with other.connect() as connection:
        assert connection.scalar(text(f"SELECT pg_terminate_backend({pid}, 10000)"))
    other.dispose()
    yield engine
    engine.dispose()


def test_one_that_died_while_it_was_idle_is_replaced(
    left: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "TRIED_SECONDS", 0.0)
    with left.connect() as connection:
        assert connection.scalar(text("SELECT 1")) == 1


def test_one_that_has_just_been_used_is_not_tried(
    left: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "TRIED_SECONDS", 600.0)
    with left.connect() as connection, pytest.raises(OperationalError):
        connection.scalar(text("SELECT 1"))
    # Whoever comes next gets a new one.
    with left.connect() as connection:
        assert connection.scalar(text("SELECT 1")) == 1


def test_single_statements_are_committed_without_a_transaction(each_engine: Engine) -> None:
    ended: list[str] = []
    event.listen(each_engine, "commit", lambda _: ended.append("commit"))
    with at_once(each_engine).connect() as connection:
        token = {"name": "t", "digest": "d", "scopes": ["read"], "created_at": func.now()}
        connection.execute(Token.__table__.insert().values(**token))
    assert ended == []
    with Session(each_engine) as session:
        assert session.scalars(select(Token.name)).all() == ["t"]
        # The connection has transactions again.
        session.add(Token(name="u", digest="e", scopes=["read"]))
        session.flush()
        session.rollback()
        assert session.scalars(select(Token.name)).all() == ["t"]


def test_the_api_waits_for_no_lock_longer_than_for_an_answer(tmp_path, monkeypatch):
    file = str(tmp_path / "records.sqlite")
    for seconds, waited in (("30", ANSWER_SECONDS), ("0.5", 0.5)):
        monkeypatch.setenv("STICHWERK_LOCK_SECONDS", seconds)
        engine = bounded_engine(file)
        with engine.connect() as connection:
            assert connection.scalar(text("PRAGMA busy_timeout")) == waited * 1000
        engine.dispose()
