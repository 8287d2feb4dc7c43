"""How providers answer, as recorded by those who call them."""

from datetime import timedelta

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from backends import CredentialsError, UnavailableError
from tests.servers.process import wait_until
from workers.records.tables import ProviderHealth
from workers.stages.at_provider.provider import BOOK, HealthBook, Problem, answering

PATIENT_SECONDS = 60.0


@pytest.fixture(autouse=True)
def forgetful():
    """This process's book has not written anything yet."""
    BOOK._written.clear()


def health(context):
    with Session(context.engine) as session:
        (one,) = answering(session)
    return one


def sweep_until_called(context):
    """Do what is due until a provider has been called."""

    def called():
        context.sweep()
        with Session(context.engine) as session:
            return bool(answering(session))

    assert wait_until(called, PATIENT_SECONDS)


@pytest.mark.parametrize(
    ("fault", "problem", "detail"),
    [
        ("expired", Problem.CREDENTIALS, "the token has expired"),
        ("cut-before", Problem.UNAVAILABLE, "connection cut"),
        ("refuse", None, None),
    ],
)
def test_what_a_call_ends_with_is_recorded(context, fault, problem, detail):
    context.provider.do_wrong(fault, 100)
    context.submit()
    sweep_until_called(context)
    one = health(context)
    assert (one.problem, one.detail) == (problem, detail)
    assert (one.failing_since is None) == (problem is None)


def test_it_fails_since_its_first_failure_until_it_answers(context, monkeypatch, caplog):
    monkeypatch.setattr("workers.stages.at_provider.provider.AGAIN_SECONDS", 0.0)
    context.provider.do_wrong("cut-before", 1)
    (job_id,) = context.submit()
    sweep_until_called(context)
    with Session(context.engine) as session:
        row = session.get_one(ProviderHealth, context.backend)
        row.failing_since -= timedelta(hours=1)
        first = row.failing_since
        session.commit()
    with pytest.raises(KeyError), BOOK.watching(context.engine, context.backend):
        raise KeyError("what is our own fault tells nothing of a provider")
    with pytest.raises(UnavailableError), BOOK.watching(context.engine, context.backend):
        raise UnavailableError("still")
    assert (health(context).failing_since, health(context).detail) == (first, "still")
    assert 3600 <= health(context).failing_seconds < 7200
    assert context.until(job_id).state == "done"
    assert health(context).failing_since is None
    assert "is not recorded" not in caplog.text, "a call was made while a job's row was locked"


def test_what_has_not_changed_is_not_written_again(context):
    written = []

    @event.listens_for(context.engine, "before_cursor_execute")
    def look(_, __, statement, *___):
        if "provider_health" in statement and not statement.startswith("SELECT"):
            written.append(statement)

    book = HealthBook()
    for _ in range(5):
        with book.watching(context.engine, "ibm:torino"):
            pass
    assert [one.split()[0] for one in written] == ["UPDATE", "INSERT"]
    for _ in range(5):
        with pytest.raises(CredentialsError), book.watching(context.engine, "ibm:torino"):
            raise CredentialsError("expired")
    assert [one.split()[0] for one in written] == ["UPDATE", "INSERT", "UPDATE"]


def test_a_database_that_is_away_does_not_reach_the_call(context, caplog):
    with context.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE provider_health")
    with BOOK.watching(context.engine, "ibm:torino"):
        pass
    assert "how ibm:torino answers is not recorded: OperationalError" in caplog.text
