"""A real worker on a real Redis."""

import json
import os
import pickle
import re
import signal
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from types import SimpleNamespace
from uuid import uuid4

import pytest
from redis import Redis
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.compilation import Options
from games.sources import Source
from tests.servers.process import wait_until
from workers.compilation.orders import CompileOrder
from workers.jobs.request import Submission
from workers.jobs.states import FINAL, Queue
from workers.jobs.submission import checked, submit
from workers.queue import broker
from workers.records.database import open_database
from workers.records.queries.jobs import jobs_page
from workers.records.tables import Job, Token
from workers.settings import Settings

PATIENT_SECONDS = 300.0
ROOMS = ("compiler", "games", "backends", "workers", "service")


class Bomb:
    """A message that writes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.write_text, (self.path, "exploded")


@pytest.fixture
def address(tmp_path):
    return str(tmp_path / "records.sqlite")


@pytest.fixture
def worker(request, address, redis_url, tmp_path):
    """A worker of all queues with one process; its log is `worker.log`."""
    open_database(address).dispose()
    variables = (
        os.environ
        | getattr(request, "param", {})
        | {
            "STICHWERK_DATABASE": address,
            "STICHWERK_REDIS": redis_url,
            "QISKIT_IBM_TOKEN": "planted-in-the-environment",
        }
    )
    with (tmp_path / "worker.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "service", "worker", "--processes", "1",
             "--log-format", "json"],
            env=variables, stdout=log, stderr=log,
        )  # fmt: skip
        yield process
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def ended(address, n):
    with Session(open_database(address)) as session:
        jobs, _ = jobs_page(session, limit=100)
    return len(jobs) == n and all(job.state in FINAL for job in jobs)


def submitted(address, source, repeat, token_id=None):
    order = CompileOrder(source, "", Options("fast"))
    asked = checked(Submission(order, "sparse", 20, repeat=repeat, token_id=token_id))
    with Session(open_database(address)) as session:
        return [job.id for job in submit(session, Settings(), asked)]


def message(body, content_type):
    """Return what Celery puts on a Redis list."""
    task_id = str(uuid4())
    return json.dumps(
        {
            "body": b64encode(body).decode(),
            "content-encoding": "utf-8" if content_type.endswith("json") else "binary",
            "content-type": content_type,
            "headers": {"lang": "py", "task": "stichwerk.compile", "id": task_id,
                        "root_id": task_id, "argsrepr": "", "kwargsrepr": "", "retries": 0},
            "properties": {"correlation_id": task_id, "delivery_mode": 2, "delivery_tag": task_id,
                           "body_encoding": "base64", "priority": 0,
                           "delivery_info": {"exchange": "", "routing_key": "compile"}},
        }
    )  # fmt: skip


@pytest.mark.parametrize("jobs", [50, pytest.param(200, marks=pytest.mark.full)])
def test_one_job_does_not_wait_behind_many_and_pickles_and_junk_are_thrown_away(
    worker, address, redis_url, ghz, tmp_path, jobs
):
    path = tmp_path / "exploded"
    bomb = pickle.dumps((Bomb(path), {}, {}))
    with Redis.from_url(redis_url) as client:
        client.lpush(Queue.COMPILE, message(bomb, "application/x-python-serialize"))
        client.lpush(Queue.COMPILE, message(b"[[99999], {}, {}]", "application/json"))
        client.lpush(Queue.COMPILE, message(b'[["1; drop"], {}, {}]', "application/json"))
        client.lpush(Queue.COMPILE, message(b"[[", "application/json"))
    engine = open_database(address)
    with Session(engine) as session:
        session.add_all(Token(name=f"t{n}", digest=f"{n}", scopes=["submit"]) for n in (1, 2))
        session.commit()
    flood = submitted(address, ghz, jobs, token_id=1)

    def ends(jobs):
        with Session(engine) as session:
            rows = session.scalars(select(Job.finished_at).where(Job.id.in_(jobs)))
            return sorted(at for at in rows if at is not None)

    assert wait_until(lambda: len(ends(flood)) >= 5, PATIENT_SECONDS)
    (lone,) = submitted(address, ghz, 1, token_id=2)
    with Session(engine) as session:
        since = session.get_one(Job, lone).created_at
    assert wait_until(lambda: len(ends([lone])) == 1, PATIENT_SECONDS)
    (end,) = ends([lone])
    assert sum(since < at < end for at in ends(flood)) < 20
    # Nor are the others forgotten.
    assert wait_until(lambda: len(ends(flood)) == jobs, PATIENT_SECONDS)
    engine.dispose()
    assert not path.exists()
    assert worker.poll() is None
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(60) == 0
    said = (tmp_path / "worker.log").read_text()
    lines = [json.loads(line) for line in said.splitlines()]
    assert {"time", "level", "logger", "message", "process"} <= set.intersection(*map(set, lines))
    assert "Refusing to deserialize" in said
    assert "planted-in-the-environment" not in said


@pytest.mark.full
@pytest.mark.parametrize("worker", [{"STICHWERK_COMPILE_SECONDS": "2"}], indirect=True)
def test_a_circuit_that_takes_too_long_fails_all_its_jobs(worker, address):
    asked = checked(
        Submission(CompileOrder(Source("skat-9"), "star", Options("best")), "aer", 20, repeat=2)
    )
    with Session(open_database(address)) as session:
        submit(session, Settings(), asked)
    assert wait_until(lambda: ended(address, 2), PATIENT_SECONDS)
    with Session(open_database(address)) as session:
        jobs, _ = jobs_page(session)
    assert {job.state for job in jobs} == {"failed"}
    assert {job.error[:29] for job in jobs} == {"compiling and proving exceed "}
    assert worker.poll() is None


def test_nothing_is_ever_unpickled():
    from workers.queue.broker import app

    assert app.conf.accept_content == ["json"]
    assert app.conf.task_serializer == app.conf.event_serializer == "json"
    here = Path(__file__).parents[3]
    sources = [path for room in ROOMS for path in (here / room).rglob("*.py")]
    assert len(sources) > 200
    words = re.compile(r"\b(import|from) (pickle|cloudpickle|dill|marshal|shelve)\b|PickleType")
    assert not [path for path in sources if words.search(path.read_text())]


@pytest.mark.parametrize(
    ("listened", "done"),
    [
        (("compile", "submit", "poll", "score"), {Queue.POLL, Queue.SCORE}),
        (("submit", "poll"), {Queue.POLL}),
    ],
)
def test_whoever_scores_goes_on_with_it_on_the_same_ticket(monkeypatch, listened, done):
    queues = dict.fromkeys(listened)
    monkeypatch.setattr(broker, "app", SimpleNamespace(amqp=SimpleNamespace(
        queues=SimpleNamespace(consume_from=queues)
    )))  # fmt: skip
    assert broker._on_one_ticket(Queue.POLL) == done
