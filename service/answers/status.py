"""What is answered of the service: by `stichwerk status` and `GET /status`."""

from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Any

from attrs import asdict

from workers.stages.at_provider.health import Problem
from workers.status.status import Status
from workers.status.waiting import Reason

WORDS = {
    Reason.QUARANTINED: "in quarantine",
    Reason.CREDENTIALS: "their provider refuses the credentials",
    Reason.PROVIDER: "their provider does not answer",
    Reason.DOUBT: "in doubt: their provider may have them",
    Reason.UNATTENDED: "no worker listens to their queue",
    Reason.OVERDUE: "due long ago",
}
"""Why jobs do not go on, for people."""

PROBLEMS = {None: "answers", Problem.UNAVAILABLE: "away", Problem.CREDENTIALS: "credentials"}
"""How a provider answers, for people."""


def status_answer(status: Status) -> dict[str, Any]:
    """Return a status as JSON: times in ISO 8601, amounts as exact decimals."""
    return {
        "ok": status.well,
        "at": _plain(status.at),
        "problems": list(status.problems),
        "notes": list(status.notes),
        "database": _fields(status.database) | {"readable": status.database.readable},
        "broker": _fields(status.broker),
        "queues": [_fields(one) for one in status.queues],
        "workers": [_fields(one) for one in status.runners],
        "providers": [_fields(one) for one in status.providers],
        "budgets": [_fields(one) | {"left_usd": _plain(one.left_usd)} for one in status.budgets],
        "stuck": {str(reason): _fields(one) for reason, one in status.stuck.items()},
        "versions": {version: list(who) for version, who in status.versions.items()},
    }


def _fields(part: Any) -> dict[str, Any]:
    return {name: _plain(value) for name, value in asdict(part).items()}


def _plain(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat()
        case Decimal():
            return str(value)
        case float():
            return round(value, 3)
        case Enum():
            return value.value
        case dict():
            return {str(name): _plain(one) for name, one in value.items()}
        case _:
            return value
