"""Secrets stay out of what is stored, logged and shown."""

import pytest
from sqlalchemy.orm import Session

from backends import BackendError
from workers.logs import redacted
from workers.records.tables import Record

PLANTED = "tr0mpf-ist-die-halbe-miete"


@pytest.mark.parametrize(
    "name", ["QISKIT_IBM_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "MY_PASSWORD"]
)
def test_values_of_secret_variables(monkeypatch, name):
    monkeypatch.setenv(name, PLANTED)
    assert redacted(f"401 for {PLANTED}!") == "401 for [hidden]!"


@pytest.mark.parametrize("name", ["STICHWERK_DATABASE", "STICHWERK_REDIS"])
def test_passwords_of_addresses(monkeypatch, name):
    monkeypatch.setenv(name, f"postgresql://me:{PLANTED}%21@host/db")
    assert PLANTED not in redacted(f"could not connect as me with {PLANTED}!")


@pytest.mark.parametrize(
    "text",
    [
        f"Authorization: Bearer {PLANTED}",
        f"authorization: apikey {PLANTED}",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0cm9tcGYifQ.tr0mpf-ist-die-halbe-miete",
        f"https://bucket/results.json?X-Amz-Signature={PLANTED}&x=1",
        f"redis://:{PLANTED}@127.0.0.1:6379/0",
        f"postgresql+psycopg://me:{PLANTED}@127.0.0.1/db",
    ],
)
def test_what_looks_like_a_secret(text):
    assert "[hidden]" in redacted(text)
    assert PLANTED not in redacted(text)


def test_other_texts_stay():
    text = "backend 'ibm:torino': 429, retry after 3 s; job d1v5ca0 of star:17 (CZ, q0->q1)"
    assert redacted(text) == text


def test_nothing_of_it_is_in_any_record(context, monkeypatch):
    monkeypatch.setenv("QISKIT_IBM_TOKEN", PLANTED)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", PLANTED[::-1])

    def leaky(*_, **__):
        raise BackendError(f"403 for {PLANTED} signed with {PLANTED[::-1]}")

    monkeypatch.setattr(context.provider, "submit", leaky)
    (job_id,) = context.submit(tag="mine")
    assert context.until(job_id).error == "403 for [hidden] signed with [hidden]"
    with Session(context.engine) as session:
        kept = [
            repr(tuple(row)) for table in Record.metadata.sorted_tables
            for row in session.execute(table.select())
        ]  # fmt: skip
    assert any("[hidden]" in row for row in kept)
    assert not any(PLANTED in row or PLANTED[::-1] in row for row in kept)
