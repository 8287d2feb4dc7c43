"""How providers answer, as recorded by those who call them."""

from datetime import timedelta

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from backends import CredentialsError, UnavailableError
from tests.servers.process import wait_until
from workers import provider_health
from workers.provider_health import BOOK, HealthBook, Problem, answering
from workers.records import ProviderHealth

PATIENT_SECONDS = 60.0


@pytest.fixture(autouse=True)
def forgetful():
    """This process's book has not written anything yet."""
    BOOK._written.clear()


def health(desk):
    with Session(desk.engine) as session:
        (one,) = answering(session)
    return one


def sweep_until_called(desk):
    """Do what is due until a provider has been called."""

    def called():
        desk.sweep()
        with Session(desk.engine) as session:
            return bool(answering(session))

    assert wait_until(called, PATIENT_SECONDS)


def test_a_provider_that_answers(desk):
    desk.until(*desk.submit())
    one = health(desk)
    assert (one.backend, one.problem, one.failing_since, one.detail) == (
        desk.backend, None, None, None,
    )  # fmt: skip
    assert one.answered_at is not None


@pytest.mark.parametrize(
    ("fault", "problem", "detail"),
    [
        ("expired", Problem.CREDENTIALS, "the token has expired"),
        ("cut-before", Problem.UNAVAILABLE, "connection cut"),
        ("refuse", None, None),
    ],
)
def test_what_a_call_ends_with_is_recorded(desk, fault, problem, detail):
    desk.provider.do_wrong(fault, 100)
    desk.submit()
    sweep_until_called(desk)
    one = health(desk)
    assert (one.problem, one.detail) == (problem, detail)
    assert (one.failing_since is None) == (problem is None)


def test_it_fails_since_its_first_failure_until_it_answers(desk, monkeypatch):
    monkeypatch.setattr(provider_health, "AGAIN_SECONDS", 0.0)
    desk.provider.do_wrong("cut-before", 1)
    (job_id,) = desk.submit()
    sweep_until_called(desk)
    with Session(desk.engine) as session:
        row = session.get_one(ProviderHealth, desk.backend)
        row.failing_since -= timedelta(hours=1)
        first = row.failing_since
        session.commit()
    with pytest.raises(KeyError), BOOK.watching(desk.engine, desk.backend):
        raise KeyError("what is our own fault tells nothing of a provider")
    with pytest.raises(UnavailableError), BOOK.watching(desk.engine, desk.backend):
        raise UnavailableError("still")
    assert (health(desk).failing_since, health(desk).detail) == (first, "still")
    assert 3600 <= health(desk).failing_seconds < 7200
    assert desk.until(job_id).state == "done"
    assert health(desk).failing_since is None


def test_what_has_not_changed_is_not_written_again(desk):
    written = []

    @event.listens_for(desk.engine, "before_cursor_execute")
    def look(_, __, statement, *___):
        if "provider_health" in statement and not statement.startswith("SELECT"):
            written.append(statement)

    book = HealthBook()
    for _ in range(5):
        with book.watching(desk.engine, "ibm:torino"):
            pass
    assert [one.split()[0] for one in written] == ["UPDATE", "INSERT"]
    for _ in range(5):
        with pytest.raises(CredentialsError), book.watching(desk.engine, "ibm:torino"):
            raise CredentialsError("expired")
    assert [one.split()[0] for one in written] == ["UPDATE", "INSERT", "UPDATE"]


def test_a_database_that_is_away_does_not_reach_the_call(desk, caplog):
    with desk.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE provider_health")
    with BOOK.watching(desk.engine, "ibm:torino"):
        pass
    assert "how ibm:torino answers is not recorded: OperationalError" in caplog.text
