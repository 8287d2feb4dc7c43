"""Redis as workers need it, on a real one."""

import pytest
from redis import Redis
from redis.exceptions import RedisError

from tests.servers.fixtures import present
from tests.servers.process import free_port
from tests.servers.redis import RedisServer
from workers.jobs.states import Queue
from workers.queue.lengths import broker_problem, queue_lengths


@pytest.fixture
def server():
    """A Redis of its own, which may be spoiled."""
    with present(RedisServer) as running:
        yield running


def problem(address):
    with pytest.raises(RedisError) as raised:
        queue_lengths(address)()
    return broker_problem(address, raised.value)


def test_lengths_are_told_and_nothing_is_left(server):
    with Redis(port=server.port) as client:
        client.rpush("compile", "a", "b")
        assert queue_lengths(server.url)() == {
            Queue.COMPILE: 2, Queue.SUBMIT: 0, Queue.POLL: 0, Queue.SCORE: 0,
        }  # fmt: skip
        assert client.keys() == [b"compile"]


def test_each_thing_that_may_be_wrong_has_its_own_words(server):
    where = f"127.0.0.1:{server.port}/0"
    with Redis(port=server.port) as client:
        client.config_set("maxmemory", 1)
        assert problem(server.url) == f"Redis at redis://{where} is full: raise its maxmemory"
        client.config_set("maxmemory", 0)
        client.replicaof("127.0.0.1", free_port())
        assert problem(server.url) == (
            f"Redis at redis://{where} is a replica that only reads: name its master in "
            "STICHWERK_REDIS"
        )
        client.replicaof("NO", "ONE")
        client.config_set("requirepass", "right")
        wrong = f"redis://:wrong@{where}"
        for address in (server.url, wrong):
            said = problem(address)
            assert "does not accept the password: put the right one into STICHWERK_REDIS" in said
            assert "wrong" not in said
        assert queue_lengths(f"redis://:right@{where}")()[Queue.POLL] == 0


def test_one_who_may_touch_queues_only_may_send(server):
    with Redis(port=server.port) as client:
        keys = [f"~{queue}" for queue in Queue]
        client.execute_command("ACL", "SETUSER", "worker", "on", ">pw", "+@all", *keys)
    address = f"redis://worker:pw@127.0.0.1:{server.port}/0"
    assert queue_lengths(address)() == dict.fromkeys(Queue, 0)


def test_without_a_redis():
    assert problem("redis://127.0.0.1:1/0").startswith("no Redis at redis://127.0.0.1:1/0: ")
