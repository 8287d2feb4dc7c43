"""Redis: whether it takes messages, and how many wait."""

from collections.abc import Mapping

from attrs import frozen
from redis.exceptions import RedisError

from workers.jobs.states import Queue
from workers.queue.lengths import broker_problem, queue_lengths, redis_client
from workers.status.problems import Problems


@frozen
class BrokerState:
    """What is known of Redis.

    Args:
        address: without its password.
        version: of the server; None if it tells nothing.
        role: `master`, or `slave` of one that only reads.
        messages: that wait in each queue; None if it does not answer, or takes none.
    """

    address: str
    version: str | None = None
    role: str | None = None
    messages: Mapping[Queue, int] | None = None


def broker_state(address: str, found: Problems) -> BrokerState:
    """Look at Redis."""
    shown = address.rpartition("@")[2]
    client = redis_client(address)
    try:
        messages = queue_lengths(address)()
    except (RedisError, OSError) as error:
        found.problems.append(broker_problem(address, error))
        messages = None
    try:
        told = client.info()
    except (RedisError, OSError):
        # Who may not ask for that may still send messages.
        return BrokerState(shown, messages=messages)
    finally:
        client.close()
    return BrokerState(shown, told.get("redis_version"), told.get("role"), messages)
