"""How many messages wait in Redis, asked once and briefly."""

from collections.abc import Callable, Mapping

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from workers.states import Queue

REDIS_SECONDS = 1.0


def queue_lengths(address: str) -> Callable[[], Mapping[Queue, int]]:
    """Return a function that asks Redis how many messages each queue holds.

    It raises `redis.exceptions.RedisError` if Redis does not answer within a second.
    """
    client = Redis.from_url(
        address,
        socket_timeout=REDIS_SECONDS,
        socket_connect_timeout=REDIS_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )

    def count() -> Mapping[Queue, int]:
        asked = client.pipeline(transaction=False)
        for queue_ in Queue:
            asked.llen(queue_)
        return dict(zip(Queue, asked.execute(), strict=True))

    return count
