"""Kombu's transport of Redis, whose consumers outlive acknowledgements that Redis never hears.

A worker takes as many messages as it has processes. Kombu gives the place of a message free once
Redis has confirmed its end; if Redis is away just then, the error is logged and the place is
lost. With none left the worker waits for ever, and does not even notice that Redis is back.
"""

from collections.abc import Callable
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis, virtual

QUESTION_SECONDS = 0.2
"""How long Redis may take to say that there is no message; a fraction since its version 6."""


class QoS(redis.QoS):
    """Gives the place of a message free whether Redis hears of it or not.

    What it did not hear of is a message that comes back later.
    """

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge a message; see `kombu.transport.virtual.QoS`."""
        self._free(delivery_tag, super().ack)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Reject a message; see `kombu.transport.virtual.QoS`."""
        self._free(delivery_tag, super().reject, requeue)

    def _free(self, delivery_tag: str, tell: Callable[..., None], *more: Any) -> None:
        try:
            tell(delivery_tag, *more)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]
            raise


class Channel(redis.Channel):
    """A channel with these places."""

    QoS = QoS


class Transport(redis.Transport):
    """A transport with such channels, whose consumers end soon.

    A consumer asks Redis for a message and waits; whoever is told to stop waits for the answer to
    one or two such questions. Kombu lets each take a second.
    """

    Channel = Channel
    brpop_timeout = QUESTION_SECONDS  # type: ignore[assignment]


def use() -> None:
    """Let addresses of Redis stand for this transport."""
    for alias in ("redis", "rediss"):
        TRANSPORT_ALIASES[alias] = f"{__name__}:Transport"
