"""Messages of a Redis that goes away before it hears what became of them."""

import pytest
from attrs import evolve
from kombu import Consumer, Queue
from redis.exceptions import ConnectionError as RedisConnectionError

from tests.servers.fixtures import present
from tests.servers.redis import RedisServer
from workers.queue.broker import celery_app
from workers.settings import Settings

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
