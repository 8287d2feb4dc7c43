"""What an operator may set, all by environment variables that begin with `STICHWERK_`."""

import os
from decimal import Decimal, InvalidOperation
from typing import Any

from attrs import fields, frozen

from compiler.errors import InputError
from workers.logs import LogFormat

PREFIX = "STICHWERK_"


@frozen
class Settings:
    """How the queue behaves; each field is the variable of its name, in upper case.

    Args:
        database: a file for SQLite, or an SQLAlchemy URL.
        redis: URL of the broker.
        lease_seconds: how long a worker may be silent before another takes its job over.
        resend_seconds: how long a job may wait for a worker before its message is sent again.
        sweep_seconds: pause between two looks for jobs that are due.
        poll_seconds: pause before a provider is first asked about a job; it grows with the wait.
        poll_most_seconds: the longest pause between two questions about a job.
        settle_seconds: how long a provider is given to show a job that it may have accepted.
        backoff_seconds: pause after a first failure, doubled with each further one.
        backoff_most_seconds: the longest such pause.
        most_failures: failures in one stage after which a job has failed.
        compile_seconds: how long compiling and proving a circuit, or simulating it, may take.
        day_budget_usd: what jobs submitted on one day (UTC) may cost together; no limit if empty.
        tag_budget_usd: what jobs with the same tag may cost together.
        job_budget_usd: what one job may cost.
        most_qubits: qubits of a circuit that is submitted over HTTP.
        most_gates: gates of a circuit that is submitted over HTTP.
        most_bytes: size of a request over HTTP.
        most_shots: shots of a job that is submitted over HTTP.
        most_jobs: jobs of one token that have not ended.
        metrics_host: address that a worker's metrics are served on.
        log_format: how workers and API log: `text`, or `json`, one object a line.
    """

    database: str = "stichwerk.sqlite"
    redis: str = "redis://127.0.0.1:6379/0"
    lease_seconds: float = 30.0
    resend_seconds: float = 30.0
    sweep_seconds: float = 0.25
    poll_seconds: float = 1.0
    poll_most_seconds: float = 30.0
    settle_seconds: float = 10.0
    backoff_seconds: float = 1.0
    backoff_most_seconds: float = 60.0
    most_failures: int = 10
    compile_seconds: int = 7200
    day_budget_usd: Decimal | None = None
    tag_budget_usd: Decimal | None = None
    job_budget_usd: Decimal | None = None
    most_qubits: int = 500
    most_gates: int = 20_000
    most_bytes: int = 1_000_000
    most_shots: int = 100_000
    most_jobs: int = 10_000
    metrics_host: str = "127.0.0.1"
    log_format: LogFormat = LogFormat.TEXT


def settings() -> Settings:
    """Return the settings of this process's environment.

    Raises:
        InputError: naming the variable that is no positive number.
    """
    read: dict[str, Any] = {}
    for field in fields(Settings):
        text = os.environ.get(PREFIX + field.name.upper())
        if text:
            read[field.name] = _parsed(PREFIX + field.name.upper(), text, field.default)
    found = Settings(**read)
    if not found.redis.startswith(("redis://", "rediss://", "unix://")):
        raise InputError(
            f"{PREFIX}REDIS='{found.redis}': must begin with redis://, rediss:// or unix://"
        )
    return found


def dollars(text: str) -> Decimal:
    """Return an amount of US dollars, such as `5USD`, `5 USD`, `$5` or `5`.

    Raises:
        InputError: if it is none, or below zero.
    """
    bare = text.upper().removesuffix("USD").strip().removeprefix("$")
    try:
        amount = Decimal(bare)
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or amount < 0:
        raise InputError(f"'{text}': not an amount of US dollars; write 5USD or 0.30")
    return amount


def _parsed(name: str, text: str, default: object) -> object:
    if isinstance(default, LogFormat):
        if text not in set(LogFormat):
            raise InputError(f"{name}='{text}': must be {' or '.join(LogFormat)}")
        return LogFormat(text)
    if isinstance(default, str):
        return text
    if default is None:
        return dollars(text)
    try:
        value = type(default)(text)  # type: ignore[call-arg]
    except ValueError:
        value = None
    if value is None or not 0 < value < float("inf"):  # type: ignore[operator]
        raise InputError(f"{name}='{text}': must be a positive number")
    return value
