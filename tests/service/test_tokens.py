"""The command `token`."""

import json

from tests.service.conftest import Stichwerk


def test_a_token_is_printed_once_and_never_again(stichwerk: Stichwerk) -> None:
    made = stichwerk("token", "create", "alice", "--scope", "submit", "--scope", "read")
    assert made.code == 0
    text = made.out.strip()
    assert text.startswith("stw_")
    assert text not in made.err
    listed = stichwerk("token", "list")
    assert "alice" in listed.out
    assert text not in listed.out + listed.err
    (one,) = json.loads(stichwerk("token", "list", "--json").out)["tokens"]
    assert (one["token"], one["scopes"], one["revoked_at"]) == ("alice", ["submit", "read"], None)
    assert stichwerk("token", "revoke", "alice").code == 0
    (one,) = json.loads(stichwerk("token", "list", "--json").out)["tokens"]
    assert one["revoked_at"] is not None


def test_refusals_are_one_line(stichwerk: Stichwerk) -> None:
    for arguments in (
        ("create", "a b"),
        ("create", "alice", "--scope", "write"),
        ("revoke", "nobody"),
    ):
        answer = stichwerk("token", *arguments)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.startswith("stichwerk: ")
        assert answer.err.count("\n") == 1
