"""The command `status`: what is wrong comes first, and the exit code says whether anything is."""

import json
from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from workers.clock import database_now
from workers.jobs.states import Queue
from workers.queue.heartbeats import Heart, Kind
from workers.records.database import open_database
from workers.records.tables import Compilation, Job, ProviderHealth, Spending

CIRCUIT = {
    "program": "p", "source": b"", "source_digest": "", "target": "all:3", "method": "fast",
    "encoding": "", "objective": "", "seed": 0, "program_verified": "exact", "versions": {},
}  # fmt: skip
JOB = {"program": "p", "target": "all:3", "shots": 1, "seed": 0}


@pytest.fixture
def service(folder, redis_url, monkeypatch):
    """Return a function that records rows, beside a worker, a sweeper and a Redis."""
    monkeypatch.setenv("STICHWERK_REDIS", redis_url)
    engine = open_database(str(folder / "stichwerk.sqlite"))

    def record(*rows, queues=tuple(Queue)):
        if queues:
            Heart(engine, Kind.WORKER, pid=1, queues=queues, processes=2).beat()
            Heart(engine, Kind.SWEEPER, pid=2).beat()
        with Session(engine) as session:
            at = database_now(session)
            for row in rows:
                session.add(row(at))
            session.commit()

    yield record
    engine.dispose()


def job(state="queued", backend="aer", seconds=0, **more):
    """Return a function that makes a job which is due and has been in its state for so long."""
    return lambda at: Job(
        **JOB, state=state, backend=backend, due_at=at, state_since=at - timedelta(seconds=seconds),
        **more,
    )  # fmt: skip


def failing(problem, seconds, backend="ibm:torino"):
    return lambda at: ProviderHealth(
        backend=backend, problem=problem, detail="said so", failed_at=at,
        failing_since=at - timedelta(seconds=seconds),
    )  # fmt: skip


def spent(budget, usd):
    return lambda _: Spending(budget=budget, reserved_microusd=usd * 10**6)


def test_a_service_that_is_well(stichwerk, service):
    service(job())
    said = stichwerk("status")
    assert (said.code, said.out.splitlines()[0]) == (0, "ok: no problems")
    answer = json.loads(stichwerk("status", "--json").out)
    assert answer["ok"]
    assert answer["problems"] == answer["notes"] == []
    assert [(one["queue"], one["jobs"], one["processes"]) for one in answer["queues"]] == [
        ("compile", 1, 2), ("submit", 0, 2), ("poll", 0, 2), ("score", 0, 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "named", "reason"),
    [
        (
            [failing("credentials", 300), job("submitting", "ibm:torino")],
            "ibm:torino has refused the workers' credentials for 5 min",
            "credentials",
        ),
        (
            [failing("unavailable", 1200), job("at_provider", "ibm:torino", provider_id="x")],
            "ibm:torino has not answered for 20 min",
            "provider_away",
        ),
        ([job("failed", quarantined="it kills workers")], "1 job in quarantine", "quarantined"),
        (
            [job("submitting", "ibm:torino", seconds=700, doubtful=True)],
            "job in doubt, such as job 1",
            "in_doubt",
        ),
        (
            [lambda at: Job(**JOB, state="queued", backend="aer", due_at=at - timedelta(hours=1))],
            "1 job overdue, such as job 1",
            "overdue",
        ),
    ],
)
def test_what_stands_in_the_way_comes_first(stichwerk, service, rows, named, reason):
    service(*rows)
    said = stichwerk("status", "--json")
    answer = json.loads(said.out)
    (problem,) = answer["problems"]
    assert said.code == 1
    assert named in problem
    assert {name: one["jobs"] for name, one in answer["stuck"].items() if one["jobs"]} == {
        reason: 1
    }
    assert stichwerk("status").out.startswith(f"problem: {problem[:20]}")


@pytest.mark.parametrize(
    "rows",
    [
        [failing("credentials", 30)],
        [failing("unavailable", 30), job("submitting", "ibm:torino")],
        [job("submitting", "ibm:torino", seconds=30, doubtful=True)],
    ],
)
def test_what_may_pass_by_itself_is_a_note(stichwerk, service, rows):
    service(*rows)
    said = stichwerk("status", "--json")
    assert said.code == 0
    assert len(json.loads(said.out)["notes"]) == 1


@pytest.mark.parametrize(("backend", "hours", "is_noted"), [
    ("ibm:boston", 25, True), ("ibm:boston", 23, False), ("aer:boston", 1000, False)
])  # fmt: skip
def test_jobs_of_an_old_calibration_are_noted(stichwerk, service, backend, hours, is_noted):
    def waiting(at):
        row = job(backend=backend)(at)
        row.compilation = Compilation(
            **CIRCUIT, calibrated_at=at - timedelta(hours=hours), calibration_digest="0" * 12
        )
        return row

    service(waiting)
    notes = json.loads(stichwerk("status", "--json").out)["notes"]
    assert any(f"1 job on {backend}" in note for note in notes) is is_noted


def test_budgets_are_those_of_the_settings(stichwerk, service, monkeypatch):
    monkeypatch.setenv("STICHWERK_TAG_BUDGET_USD", "5")
    monkeypatch.setenv("STICHWERK_DAY_BUDGET_USD", "20")
    service(spent("tag:night", 5), spent("tag:noon", 2), job(tag="night"))
    said = stichwerk("status", "--json")
    answer = json.loads(said.out)
    shown = {one["name"]: (one["left_usd"], one["spent"]) for one in answer["budgets"]}
    day = next(name for name in shown if name.startswith("day "))
    assert shown == {day: ("20", False), "tag night": ("0", True), "tag noon": ("3", False)}
    assert (said.code, answer["problems"]) == (
        1,
        ["the budget of tag night is spent, 5 of 5 USD: new jobs fail before submission"],
    )


def test_a_database_of_another_version(stichwerk, folder, service):
    service()
    engine = open_database(str(folder / "stichwerk.sqlite"))
    for version, words in (("0005", "'stichwerk migrate'"), ("9999", "version of stichwerk")):
        with engine.begin() as connection:
            connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{version}'")
        said = stichwerk("status", "--json")
        assert said.code == 1
        (problem,) = json.loads(said.out)["problems"]
        assert version in problem
        assert problem.endswith(words)
    engine.dispose()


def test_a_database_that_is_full_or_away(stichwerk, service, monkeypatch):
    service()
    monkeypatch.setattr("workers.status.status.MIN_FREE_BYTES", 10**18)
    assert "the database's disk is almost full" in stichwerk("status").out
    monkeypatch.setenv("STICHWERK_DATABASE", "postgresql+psycopg://me:hunter2@127.0.0.1:1/none")
    said = stichwerk("status")
    assert (said.code, said.out.startswith("problem: the database does not answer: ")) == (1, True)
    assert "hunter2" not in said.out
    monkeypatch.setenv("STICHWERK_DATABASE", "nowhere.sqlite")
    assert (
        stichwerk("status").err
        == "stichwerk: no records at 'nowhere.sqlite'; name others with --database\n"
    )
