"""A real worker whose Redis stops, is full, or takes no changes."""

import os
import signal
import subprocess
import sys
from collections import Counter

import pytest
from attrs import evolve
from kombu import Consumer, Queue
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from sqlalchemy.orm import Session

from compiler.compilation import Options
from games.sources import Source
from tests.servers.fixtures import present
from tests.servers.process import wait_until
from tests.servers.redis import RedisServer
from workers.compilation.orders import CompileOrder
from workers.jobs.control import cancel
from workers.jobs.request import Submission
from workers.jobs.submission import checked, submit
from workers.queue.broker import celery_app
from workers.records.database import open_database
from workers.records.queries.jobs import jobs_page
from workers.settings import Settings

PATIENT_SECONDS = 400.0


class Service:
    """A Redis of its own, and a worker: while one process is busy, it asks for more messages."""

    def __init__(self, folder, redis):
        self.redis = redis
        self.address = str(folder / "records.sqlite")
        self.log = folder / "worker.log"
        variables = os.environ | {
            "STICHWERK_DATABASE": self.address,
            "STICHWERK_REDIS": redis.url,
            "STICHWERK_LEASE_SECONDS": "3",
            "STICHWERK_RESEND_SECONDS": "1",
        }
        with self.log.open("wb") as log:
            self.worker = subprocess.Popen(
                [sys.executable, "-m", "service", "worker", "--processes", "2"],
                env=variables, stdout=log, stderr=log,
            )  # fmt: skip

    def submit(self, source, shots, target="", method="fast"):
        asked = checked(Submission(CompileOrder(source, target, Options(method)), "sparse", shots))
        with Session(open_database(self.address)) as session:
            (job,) = submit(session, Settings(), asked)
            return job.id

    def states(self):
        with Session(open_database(self.address)) as session:
            return Counter(job.state for job in jobs_page(session, limit=100)[0])

    def done(self, n):
        return wait_until(lambda: self.states() == {"done": n}, PATIENT_SECONDS)

    def said(self, lines):
        """Wait until one of these has been logged."""
        return wait_until(
            lambda: any(line in self.log.read_text() for line in lines), PATIENT_SECONDS
        )

    def listens(self):
        """Tell whether the worker waits for messages."""
        with Redis(port=self.redis.port) as client:
            return any(other["cmd"] == "brpop" for other in client.client_list())

    def command(self, *words):
        with Redis(port=self.redis.port) as client:
            client.execute_command(*words)


@pytest.fixture
def service(tmp_path):
    with present(lambda: RedisServer(append_only=True)) as redis:
        service = Service(tmp_path, redis)
        yield service
        service.worker.send_signal(signal.SIGTERM)
        assert service.worker.wait(PATIENT_SECONDS) == 0


@pytest.mark.full
def test_a_worker_outlives_a_redis_that_stops_again_and_again(service, ghz):
    """While it is busy: what it has not acknowledged is what a channel closed twice restores."""
    long = service.submit(Source("skat-9"), 20, target="star", method="best")
    assert wait_until(lambda: service.states() == {"compiling": 1}, PATIENT_SECONDS)
    for _ in range(2):
        # A heartbeat that is just being sent waits for Redis without a word in the log.
        service.redis.stop()
        service.redis.start()
        assert wait_until(service.listens, PATIENT_SECONDS)
    assert service.worker.poll() is None
    with Session(open_database(service.address)) as session:
        cancel(session, long)
    service.submit(ghz, 20)
    assert wait_until(lambda: service.states() == {"cancelled": 1, "done": 1}, PATIENT_SECONDS), (
        service.log.read_text()[-3000:]
    )
    assert "Unrecoverable" not in service.log.read_text()


@pytest.mark.full
@pytest.mark.parametrize(
    ("fault", "end"),
    [
        (("CONFIG", "SET", "maxmemory", "1"), ("CONFIG", "SET", "maxmemory", "0")),
        pytest.param(
            ("REPLICAOF", "127.0.0.1", "1"), ("REPLICAOF", "NO", "ONE"), marks=pytest.mark.full
        ),
    ],
    ids=["full", "replica"],
)
def test_a_redis_that_takes_no_changes_is_waited_for(service, ghz, fault, end):
    service.submit(ghz, 20)
    assert service.done(1)
    service.command(*fault)
    service.submit(ghz, 21)
    assert service.said(("the sweeper waits",)), service.log.read_text()[-3000:]
    service.command(*end)
    assert service.said(("the sweeper goes on",))
    assert service.done(2), service.log.read_text()[-3000:]
    assert service.worker.poll() is None


def test_a_worker_that_cannot_go_on_says_so_with_its_exit_code(tmp_path):
    """Else whoever watches over it thinks that it was told to stop."""
    program = (
        "from workers.queue import broker\n"
        "from celery.worker.consumer import Consumer\n"
        "def start(self): raise AttributeError('hostname')\n"
        "Consumer.start = start\n"
        "raise SystemExit(broker.run_worker(['worker', '--pool=solo', '--without-mingle']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"STICHWERK_REDIS": "redis://127.0.0.1:1/0"},
        cwd=tmp_path, capture_output=True, text=True, timeout=PATIENT_SECONDS, check=False,
    )  # fmt: skip
    assert "Unrecoverable error" in done.stderr
    assert done.returncode == 1, done.stderr


NAME = "tickets"


@pytest.mark.parametrize("end", ["ack", "reject", "requeue"])
def test_a_message_whose_end_redis_never_hears_of_gives_its_place_free(end):
    with present(RedisServer) as redis:
        app = celery_app(evolve(Settings(), redis=redis.url))
        got = []
        with app.connection_for_read() as connection:
            with connection.Producer() as producer:
                producer.publish("first", routing_key=NAME, declare=[Queue(NAME)])
            with Consumer(connection, [Queue(NAME)], on_message=got.append, prefetch_count=1):
                connection.drain_events(timeout=60)
                (message,) = got
                places = message.channel.qos
                assert not places.can_consume()
                redis.stop()
                with pytest.raises(RedisConnectionError):
                    getattr(message, end)()
                assert places.can_consume()
                redis.start()
