"""Tokens: access to the HTTP API, by scope."""

import re
from collections.abc import Iterable, Sequence
from datetime import timedelta
from enum import StrEnum
from hashlib import sha256
from secrets import token_urlsafe

from attrs import frozen
from sqlalchemy import or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from compiler.errors import InputError
from workers.clock import database_now, database_time
from workers.records.tables import Token, now

PREFIX = "stw_"
TOKEN_BYTES = 32
LIFETIME = re.compile(r"([0-9]{1,7})([dhm])")
UNITS = {"d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1)}
LONGEST_LIFE = timedelta(days=36_525)
PLAYERS = "(players)"
"""Owner of the jobs of matches on pages; no token can have this name."""
NAME = re.compile(r"[A-Za-z0-9._-]{1,80}")


class Scope(StrEnum):
    """Scopes of a token."""

    SUBMIT = "submit"
    READ = "read"
    """Lists, jobs and results."""
    CANCEL = "cancel"
    """Everything that changes a job: cancel, retry, rescore."""
    METRICS = "metrics"
    ALL = "all"
    """All jobs, not only the token's own; the other scopes say which operations."""


@frozen
class Caller:
    """The sender of a request.

    Args:
        token_id: of the token of the request.
        scopes: of the token.
        calls_a_minute: its limit; None for the service's own.
    """

    token_id: int
    scopes: frozenset[str]
    calls_a_minute: int | None = None

    @property
    def sees(self) -> int | None:
        """The token whose jobs it sees and touches, None for everybody's."""
        return None if Scope.ALL in self.scopes else self.token_id


def create_token(
    session: Session,
    name: str,
    scopes: Iterable[str],
    *,
    lifetime: timedelta | None = None,
    day_budget_microusd: int | None = None,
    calls_a_minute: int | None = None,
) -> str:
    """Record a new token and return it: `stw_` and 256 random bits, which are not stored.

    Args:
        session: of the database.
        name: of the token.
        scopes: of the token.
        lifetime: until it expires; None if never.
        day_budget_microusd: limit of the cost of its jobs of one day, in millionths of US
            dollars; None for no limit of its own.
        calls_a_minute: limit of its calls; None for the service's own.

    Raises:
        InputError: if the name is taken or empty, or a scope is unknown, or there is no scope.
    """
    wanted = list(dict.fromkeys(scopes))
    unknown = [scope for scope in wanted if scope not in set(Scope)]
    if unknown or not set(wanted) - {Scope.ALL}:
        what = f"unknown scope '{unknown[0]}'" if unknown else "a token needs a scope"
        raise InputError(f"{what}; known: {', '.join(Scope)} ('all' only widens the others)")
    if not NAME.fullmatch(name):
        raise InputError(f"name '{name}': must be 1 to 80 letters, digits, dots, '_' or '-'")
    text = PREFIX + token_urlsafe(TOKEN_BYTES)
    session.add(
        Token(
            name=name,
            digest=digest(text),
            scopes=wanted,
            expires_at=None if lifetime is None else database_now(session) + lifetime,
            day_budget_microusd=day_budget_microusd,
            calls_a_minute=calls_a_minute,
        )
    )
    try:
        session.commit()
    except IntegrityError as error:
        session.rollback()
        raise InputError(f"there is a token '{name}' already, perhaps revoked") from error
    return text


def players(session: Session) -> int:
    """Return the number of the token that stands for all who play on pages; it opens nothing."""
    query = select(Token.id).where(Token.name == PLAYERS)
    result = session.scalar(query)
    if result is not None:
        return result
    session.add(
        Token(name=PLAYERS, digest=digest(token_urlsafe(TOKEN_BYTES)), scopes=[], revoked_at=now())
    )
    try:
        session.commit()
    except IntegrityError:
        # Another process was faster.
        session.rollback()
    return session.scalars(query).one()


def tokens(session: Session) -> Sequence[Token]:
    """Return all tokens, the revoked ones too, in the order in which they were created."""
    return session.scalars(select(Token).order_by(Token.id)).all()


def revoke_token(session: Session, name: str) -> None:
    """Let a token open nothing any more, from now on; its jobs go on.

    Raises:
        InputError: if there is no such token.
    """
    token = session.scalar(select(Token).where(Token.name == name))
    if token is None:
        raise InputError(f"there is no token '{name}'; 'stichwerk token list' lists them")
    token.revoked_at = token.revoked_at or now()
    session.commit()


def caller(session: Session, text: str) -> Caller | None:
    """Return the caller of a token, None if it is unknown, expired or revoked."""
    token = session.execute(
        select(Token.id, Token.scopes, Token.calls_a_minute).where(
            Token.digest == digest(text),
            Token.revoked_at.is_(None),
            or_(Token.expires_at.is_(None), Token.expires_at > database_time()),
        )
    ).first()
    if token is None:
        return None
    return Caller(token.id, frozenset(token.scopes), token.calls_a_minute)


def lifetime(text: str) -> timedelta:
    """Return a span of time such as `30d`, `12h` or `90m`.

    Raises:
        InputError: if it is none, or longer than a hundred years.
    """
    match = LIFETIME.fullmatch(text)
    span = timedelta(0)
    if match is not None:
        span = int(match[1]) * UNITS[match[2]]
    if not timedelta(0) < span <= LONGEST_LIFE:
        raise InputError(f"'{text[:40]}': not a span of time; write 30d, 12h or 90m")
    return span


def digests(session: Session) -> frozenset[str]:
    """Return the digests of all tokens."""
    return frozenset(session.scalars(select(Token.digest)))


def digest(text: str) -> str:
    """Return the digest under which a token is stored."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
