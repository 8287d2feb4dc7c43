"""Tokens: shown once, kept as their hash, and gone when revoked."""

from hashlib import sha256

import pytest
from sqlalchemy.orm import Session

from compiler.errors import InputError
from workers.accounts.tokens import Caller, Scope, caller, create_token, revoke_token, tokens
from workers.records.tables import Token


def test_a_token_is_kept_as_its_hash(session: Session) -> None:
    text = create_token(session, "alice", ["submit", "read", "submit"])
    # 32 bytes in base64 without padding.
    assert text.startswith("stw_")
    assert len(text) == 4 + 43
    (kept,) = tokens(session)
    assert (kept.name, kept.scopes, kept.revoked_at) == ("alice", ["submit", "read"], None)
    assert kept.digest == sha256(text.encode()).hexdigest()
    assert caller(session, text) == Caller(kept.id, frozenset({"submit", "read"}))
    assert create_token(session, "bob", ["read"]) != text


def test_unknown_and_revoked_tokens_stand_for_nobody(session: Session) -> None:
    text = create_token(session, "alice", ["read"])
    for wrong in ("", text[:-1], text + "x", text.upper(), "\ud800", "\0"):
        assert caller(session, wrong) is None
    revoke_token(session, "alice")
    when = session.get_one(Token, 1).revoked_at
    revoke_token(session, "alice")
    assert session.get_one(Token, 1).revoked_at == when
    assert caller(session, text) is None


def test_who_sees_what() -> None:
    assert Caller(7, frozenset({Scope.READ})).sees == 7
    assert Caller(7, frozenset({Scope.READ, Scope.ALL})).sees is None


@pytest.mark.parametrize(
    ("name", "scopes", "says"),
    [
        ("alice", ["read"], "there is a token 'alice' already"),
        ("", ["read"], "name ''"),
        ("a b", ["read"], "name 'a b'"),
        ("x" * 81, ["read"], "must be 1 to 80"),
        ("bob", ["write"], "unknown scope 'write'"),
        ("bob", [], "a token needs a scope"),
        ("bob", ["all"], "a token needs a scope"),
    ],
)
def test_refusals(session: Session, name: str, scopes: list[str], says: str) -> None:
    create_token(session, "alice", ["read"])
    with pytest.raises(InputError, match=says):
        create_token(session, name, scopes)
    assert len(tokens(session)) == 1


def test_only_what_is_there_can_be_revoked(session: Session) -> None:
    with pytest.raises(InputError, match="there is no token 'bob'"):
        revoke_token(session, "bob")
