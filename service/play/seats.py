"""Who sits where: a bot, or whoever has the secret of the seat's link."""

import re
from collections.abc import Sequence
from hashlib import sha256
from hmac import compare_digest
from secrets import token_hex, token_urlsafe

from attrs import frozen

MATCH = re.compile("[0-9a-f]{32}")


@frozen
class Seat:
    """A seat; exactly one of these is there.

    Args:
        bot: its name.
        digest: SHA-256 of the secret, which itself is kept nowhere: 256 random bits need no salt.
    """

    bot: str | None = None
    digest: str | None = None


def new_match_id() -> str:
    """Return 128 random bits: whoever knows them may watch."""
    return token_hex(16)


def new_secret() -> str:
    """Return 256 random bits: whoever knows them plays."""
    return token_urlsafe(32)


def digest(secret: str) -> str:
    """Return what is kept of a secret."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def seat_with(secret: str, seats: Sequence[Seat]) -> int | None:
    """Return the seat that a secret opens, None if there is none.

    It takes as long whichever seat that is.
    """
    result = None
    hashed = digest(secret)
    for number, seat in enumerate(seats):
        if seat.digest is not None and compare_digest(seat.digest, hashed):
            result = number
    return result
