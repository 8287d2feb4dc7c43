"""Tokens: who may use the HTTP API, and for what."""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from hashlib import sha256
from secrets import token_urlsafe

from attrs import frozen
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from compiler.errors import InputError
from workers.records import Token, now

PREFIX = "stw_"
TOKEN_BYTES = 32
NAME = re.compile(r"[A-Za-z0-9._-]{1,80}")


class Scope(StrEnum):
    """What a token may be used for."""

    SUBMIT = "submit"
    READ = "read"
    """Lists, jobs and results."""
    CANCEL = "cancel"
    """Everything that changes a job: cancel, retry, rescore."""
    METRICS = "metrics"
    ALL = "all"
    """Not only the token's own jobs, but everybody's; the other scopes say for what."""


@frozen
class Caller:
    """Who a request comes from.

    Args:
        token_id: of the token that it brought.
        scopes: what that allows.
    """

    token_id: int
    scopes: frozenset[str]

    @property
    def sees(self) -> int | None:
        """The token whose jobs it sees and touches, None for everybody's."""
        return None if Scope.ALL in self.scopes else self.token_id


def create_token(session: Session, name: str, scopes: Iterable[str]) -> str:
    """Record a new token and return it: `stw_` and 256 random bits, kept nowhere.

    Raises:
        InputError: if the name is taken or none, or a scope is unknown, or there is no scope.
    """
    wanted = list(dict.fromkeys(scopes))
    unknown = [scope for scope in wanted if scope not in set(Scope)]
    if unknown or not set(wanted) - {Scope.ALL}:
        what = f"unknown scope '{unknown[0]}'" if unknown else "a token needs a scope"
        raise InputError(f"{what}; known: {', '.join(Scope)} ('all' only widens the others)")
    if not NAME.fullmatch(name):
        raise InputError(f"name '{name}': must be 1 to 80 letters, digits, dots, '_' or '-'")
    text = PREFIX + token_urlsafe(TOKEN_BYTES)
    session.add(Token(name=name, digest=_digest(text), scopes=wanted))
    try:
        session.commit()
    except IntegrityError as error:
        session.rollback()
        raise InputError(f"there is a token '{name}' already, perhaps revoked") from error
    return text


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
    """Return whom a token stands for, None if it is unknown or revoked."""
    token = session.execute(
        select(Token.id, Token.scopes).where(
            Token.digest == _digest(text), Token.revoked_at.is_(None)
        )
    ).first()
    return None if token is None else Caller(token.id, frozenset(token.scopes))


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
