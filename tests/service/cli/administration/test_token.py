"""The command `token`."""

import json
from datetime import datetime, timedelta

from tests.service.conftest import Stichwerk

CREATED_AND_EXPIRES = ("created", "expires")


def test_a_token_is_printed_once_and_never_again(stichwerk: Stichwerk) -> None:
    made = stichwerk("token", "create", "alice", "--scope", "submit", "--scope", "read")
    assert made.code == 0
    text = made.out.strip()
    assert text.startswith("stw_")
    assert text not in made.err
    listed = stichwerk("token", "list")
    assert "alice" in listed.out
    assert text not in listed.out + listed.err
    listed = json.loads(stichwerk("token", "list", "--json").out)
    (one,) = listed["tokens"]
    assert (one["token"], one["scopes"], one["revoked_at"]) == ("alice", ["submit", "read"], None)
    assert stichwerk("token", "revoke", "alice").code == 0
    (one,) = json.loads(stichwerk("token", "list", "--json").out)["tokens"]
    assert one["revoked_at"] is not None


def test_a_token_may_end_and_have_limits(stichwerk: Stichwerk) -> None:
    limits = ("--expires", "30d", "--day-budget", "5USD", "--calls-a-minute", "100")
    assert stichwerk("token", "create", "guest", *limits).code == 0
    (one,) = json.loads(stichwerk("token", "list", "--json").out)["tokens"]
    assert (one["day_budget_usd"], one["calls_a_minute"]) == ("5", 100)
    created, expires = (datetime.fromisoformat(one[f"{name}_at"]) for name in CREATED_AND_EXPIRES)
    assert timedelta(days=29.9) < expires - created < timedelta(days=30.1)
    assert one["expires_at"][:10] in stichwerk("token", "list").out
