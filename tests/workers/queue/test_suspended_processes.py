"""Processes that stand still with a transaction open, and others that wait for them."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest
from sqlalchemy import select, text, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from workers.records.database import described, open_database
from workers.records.tables import Spending

HOLDS = """
import sys
from sqlalchemy import text
from sqlalchemy.orm import Session
from workers.records.database import open_database
with Session(open_database(sys.argv[1])) as session:
    session.execute(text("UPDATE spending SET reserved_microusd = reserved_microusd + 5"))
    print("holds", flush=True)
    sys.stdin.read()
    session.commit()
"""


@contextmanager
def opened(address):
    engine = open_database(address)
    try:
        yield engine
    finally:
        engine.dispose()


@pytest.fixture
def holder(tmp_path):
    """Return a function that starts a process which has reserved, and not yet committed."""
    started = []

    def hold(address):
        with opened(address) as engine, Session(engine) as session:
            session.add(Spending(budget="day:today", reserved_microusd=7))
            session.commit()
        process = subprocess.Popen(
            [sys.executable, "-c", HOLDS, address],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ, cwd=tmp_path,
        )  # fmt: skip
        started.append(process)
        assert process.stdout.readline() == b"holds\n"
        return process

    yield hold
    for process in started:
        process.kill()
        process.communicate()


def reserve(address):
    """Reserve what a job costs, as a worker does, and return what is reserved then."""
    with opened(address) as engine, Session(engine) as session:
        session.execute(update(Spending).values(reserved_microusd=Spending.reserved_microusd + 1))
        session.commit()
        return session.scalars(select(Spending.reserved_microusd)).one()


def test_a_suspended_process_loses_its_transaction(postgres_url, holder, monkeypatch):
    monkeypatch.setenv("STICHWERK_IDLE_SECONDS", "1")
    process = holder(postgres_url)
    process.send_signal(signal.SIGSTOP)
    assert reserve(postgres_url) == 8, "what was not committed does not count"


def test_who_waits_too_long_for_a_row_is_told_to_come_back(postgres_url, holder, monkeypatch):
    monkeypatch.setenv("STICHWERK_IDLE_SECONDS", "600")
    monkeypatch.setenv("STICHWERK_LOCK_SECONDS", "0.3")
    process = holder(postgres_url)
    process.send_signal(signal.SIGSTOP)
    with pytest.raises(OperationalError) as caught:
        reserve(postgres_url)
    assert described(caught.value) == (
        "the database is busy: canceling statement due to lock timeout; try again in some seconds"
    )
    process.send_signal(signal.SIGCONT)
    process.communicate()
    assert reserve(postgres_url) == 13


def test_a_question_without_end_is_broken_off(postgres_url, monkeypatch):
    monkeypatch.setenv("STICHWERK_STATEMENT_SECONDS", "0.2")
    with (
        opened(postgres_url) as engine,
        engine.connect() as connection,
        pytest.raises(OperationalError, match="statement timeout") as caught,
    ):
        connection.execute(text("SELECT pg_sleep(60)"))
    assert "the database is busy" in described(caught.value)
