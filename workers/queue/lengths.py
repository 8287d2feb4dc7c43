"""Redis for workers: the number of waiting messages, and whether it takes more.

The check is one short call. An answer is not enough: a replica only reads, a Redis that is full or
cannot save takes nothing, and without the password no client gets in.
"""

from collections.abc import Callable, Mapping

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import (
    AuthenticationError,
    NoPermissionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
)
from redis.retry import Retry

from workers.jobs.states import Queue
from workers.records.database import reason_of

REDIS_SECONDS = 1.0

PROBE = "stichwerk:probe"
"""A key that never is: to write nothing to it takes all that writing something would."""


def queue_lengths(address: str) -> Callable[[], Mapping[Queue, int]]:
    """Return a function that asks Redis how many messages each queue holds.

    It raises `redis.exceptions.RedisError` if Redis does not answer within a second, or would not
    take a message.
    """
    client = redis_client(address)

    def count() -> Mapping[Queue, int]:
        pipeline = client.pipeline(transaction=False)
        for queue_ in Queue:
            pipeline.llen(queue_)
        pipeline.setrange(PROBE, 0, "")
        *lengths, probed = pipeline.execute(raise_on_error=False)
        # Who may not touch other keys than the queues may well send messages.
        allowed = [] if isinstance(probed, NoPermissionError) else [probed]
        for answer in (*lengths, *allowed):
            if isinstance(answer, RedisError):
                raise answer
        return dict(zip(Queue, lengths, strict=True))

    return count


def redis_client(address: str) -> Redis:
    """Return a client that asks once and briefly."""
    return Redis.from_url(
        address,
        socket_timeout=REDIS_SECONDS,
        socket_connect_timeout=REDIS_SECONDS,
        retry=Retry(NoBackoff(), 0),
        decode_responses=True,
    )


def broker_problem(address: str, error: Exception) -> str:
    """Return the fault of Redis in words, with advice.

    Args:
        address: its URL, whose password is not shown.
        error: of Redis or of the client.
    """
    where = f"Redis at {address.rpartition('@')[2]}"
    message = reason_of(error)
    if isinstance(error, AuthenticationError) or message.startswith(("NOAUTH", "WRONGPASS")):
        return f"{where} refuses the password: set the correct one in STICHWERK_REDIS"
    if isinstance(error, ReadOnlyError):
        return f"{where} is a read-only replica: set STICHWERK_REDIS to its primary"
    if isinstance(error, OutOfMemoryError) or message.startswith("OOM"):
        return f"{where} is full: increase its maxmemory"
    if isinstance(error, ResponseError):
        return f"{where} accepts no messages: {message}"
    return f"no Redis at {address.rpartition('@')[2]}: {message}"
