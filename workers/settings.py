"""Settings by environment variables that begin with `STICHWERK_`."""

import os
import re
from collections.abc import Mapping
from decimal import Decimal
from types import NoneType
from typing import Any, get_args
from urllib.parse import parse_qsl, urlsplit

from attrs import fields, frozen

from compiler.errors import InputError
from workers.logs import LogFormat

PREFIX = "STICHWERK_"

# Python also takes 1_0 and digits of other scripts for numbers; people who see them do not.
MONEY = re.compile(r"([0-9]{1,41}(\.[0-9]{0,41})?|\.[0-9]{1,41})([eE][+-]?[0-9]{1,6})?")
NUMBER: Mapping[type, re.Pattern[str]] = {
    int: re.compile(r"[0-9]+"),
    float: re.compile(MONEY.pattern),
}
MAX_USD = 1_000_000_000
"""Of any limit or budget: in millionths, they and their sums fit a database's integers."""
MAX_NUMBER = 1_000_000_000
MAX_BYTES = 2**50
"""Of any other setting; larger values of seconds, bytes and counts have no effect as limits."""

REDIS_QUERIES: Mapping[str, tuple[str, ...]] = {
    "redis": (),
    "rediss": ("ssl_cert_reqs", "ssl_ca_certs", "ssl_certfile", "ssl_keyfile"),
}
"""Supported parameters after `?` in the URL of a broker, by its scheme."""
CERTIFICATES = ("required", "optional", "none")
MAX_REDIS_DATABASE = 9999
REDIS_PATH = re.compile(r"(/([0-9]{1,4})?)?")
SCHEMES: Mapping[str, tuple[str, ...]] = {
    f"{PREFIX}NOTIFY_WEBHOOK": ("http", "https"),
    f"{PREFIX}NOTIFY_SMTP": ("smtp", "smtps"),
}
"""Schemes of URLs that notices are sent to."""


@frozen
class Settings:
    """Settings of the service; each field is the variable of its name, in upper case.

    Args:
        database: a file for SQLite, or an SQLAlchemy URL.
        redis: URL of the broker.
        lease_seconds: time without a renewal, after which another worker takes over a job.
        resend_seconds: time that a due job waits for a worker before its message is sent again.
        sweep_seconds: pause between two searches for due jobs.
        poll_seconds: pause before the first poll of a job at its provider; it grows with the wait.
        poll_most_seconds: longest pause between two polls of a job.
        settle_seconds: time for which workers search the provider for a job in doubt before they
            submit it again; at least one minute (the longest call), and longer than the delay of
            the provider's search.
        backoff_seconds: pause after a first failure; each further failure doubles it.
        backoff_most_seconds: longest pause after a failure.
        outage_most_seconds: longest pause of a job that waits for its provider.
        most_failures: failures in one stage after which a job fails; outages of providers and
            databases do not count.
        compile_seconds: time limit of compiling and proving a circuit.
        simulation_seconds: time limit of simulating a circuit.
        simulation_bytes: memory limit of compiling or simulating a circuit; if empty, the memory
            of the machine or the container, shared by a worker's processes.
        lock_seconds: time limit of waiting for a row or a file that another process changes.
        statement_seconds: time limit of a statement in PostgreSQL.
        idle_seconds: time limit of an idle transaction, which PostgreSQL then rolls back.
        day_budget_usd: cost limit of the jobs of one day (UTC) together; no limit if empty.
        tag_budget_usd: cost limit of the jobs with the same tag together; no limit if empty.
        job_budget_usd: cost limit of one job; no limit if empty.
        most_qubits: maximum qubits of a circuit that is submitted over HTTP.
        most_gates: maximum gates of a circuit that is submitted over HTTP.
        most_bytes: maximum size of a request over HTTP.
        most_shots: maximum shots of a job that is submitted over HTTP.
        most_jobs: maximum number of open jobs of one token.
        calls_a_minute: maximum requests per minute of one token, unless it has its own limit.
        most_matches: maximum number of stored matches between people.
        play_backends: simulators, separated by commas, that may measure the matches of players
            without a token; none by default.
        play_jobs: maximum number of open jobs of matches on web pages; beyond it, outcomes are
            drawn exactly.
        play_seconds: time limit of such a job; afterwards the outcome is drawn exactly.
        hosts: names and addresses that requests may be sent to (`Host`), separated by commas; by
            default localhost and the listening address. Set `*` behind a proxy that checks them.
        trusted_proxies: addresses and networks of proxies, separated by commas; the API accepts
            `X-Forwarded-For` and `X-Forwarded-Proto` from these only.
        connections: maximum number of simultaneous connections, unless the limit of open files is
            lower.
        connections_per_address: maximum number of simultaneous connections from one address; all
            clients behind a proxy share the proxy's address.
        readers: processes that read programs sent over HTTP; 0 means one process per core, but at
            least 2 and at most 4.
        metrics_host: address on which a worker serves its metrics.
        log_format: log format of workers and API: `text`, or `json` (one object per line).
        notify_webhook: URL that notices are posted to, http or https; none if empty.
        notify_mail: addresses that notices are mailed to, separated by commas; none if empty.
        notify_smtp: mail server, as `smtps://USER:PASSWORD@HOST:465` or `smtp://HOST:25`.
        notify_from: sender of mails; by default the first recipient.
    """

    database: str = "stichwerk.sqlite"
    redis: str = "redis://127.0.0.1:6379/0"
    lease_seconds: float = 30.0
    resend_seconds: float = 30.0
    sweep_seconds: float = 0.25
    poll_seconds: float = 1.0
    poll_most_seconds: float = 30.0
    settle_seconds: float = 120.0
    backoff_seconds: float = 1.0
    backoff_most_seconds: float = 60.0
    outage_most_seconds: float = 900.0
    most_failures: int = 10
    compile_seconds: int = 7200
    simulation_seconds: int = 7200
    simulation_bytes: int | None = None
    lock_seconds: float = 30.0
    statement_seconds: float = 60.0
    idle_seconds: float = 60.0
    day_budget_usd: Decimal | None = None
    tag_budget_usd: Decimal | None = None
    job_budget_usd: Decimal | None = None
    most_qubits: int = 500
    most_gates: int = 20_000
    most_bytes: int = 1_000_000
    most_shots: int = 100_000
    most_jobs: int = 10_000
    calls_a_minute: int = 30_000
    most_matches: int = 1000
    play_backends: str = ""
    play_jobs: int = 100
    play_seconds: float = 120.0
    hosts: str = ""
    trusted_proxies: str = "127.0.0.1,::1"
    connections: int = 500
    connections_per_address: int = 100
    readers: int = 0
    metrics_host: str = "127.0.0.1"
    log_format: LogFormat = LogFormat.TEXT
    notify_webhook: str = ""
    notify_mail: str = ""
    notify_smtp: str = ""
    notify_from: str = ""


def settings() -> Settings:
    """Return the settings of this process's environment.

    Raises:
        InputError: naming the variable that is no positive number.
    """
    read: dict[str, Any] = {}
    for field in fields(Settings):
        text = os.environ.get(PREFIX + field.name.upper())
        if text:
            read[field.name] = _parsed(PREFIX + field.name.upper(), text, field.type)
    return Settings(**read)


def dollars(text: str) -> Decimal:
    """Return an amount of US dollars with its unit: `5USD`, `5 USD` or `$5`.

    Raises:
        InputError: if it is none, has no unit, is below zero, or more than `MAX_USD`.
    """
    amount = _in_dollars(text)
    if MONEY.fullmatch(text.strip()):
        raise InputError(f"'{text}': an amount needs its unit; write {text.strip()}USD")
    return amount


def exact_usd(amount: Decimal) -> str:
    """Return an amount as an exact decimal without trailing zeros."""
    return f"{amount.normalize():f}"


def _in_dollars(text: str) -> Decimal:
    """Return a field of dollars like `dollars`, for an amount with another unit in its name."""
    bare = text.upper().strip().removesuffix("USD").strip().removeprefix("$")
    if not MONEY.fullmatch(bare):
        raise InputError(f"'{text}': not an amount of US dollars; write 5USD or 0.30USD")
    amount = Decimal(bare)
    if amount > MAX_USD:
        raise InputError(f"'{text}': more than {MAX_USD:,} USD, the most that can be allowed")
    return amount


def _parsed(name: str, text: str, kind: Any) -> object:
    if name == f"{PREFIX}REDIS":
        return _redis(name, text)
    if kind is LogFormat:
        if text not in set(LogFormat):
            raise InputError(f"{name}='{text}': must be {' or '.join(LogFormat)}")
        return LogFormat(text)
    if name in SCHEMES and urlsplit(text).scheme not in SCHEMES[name]:
        # Not with its value, which may hold a secret.
        raise InputError(f"{name}: must begin with {' or '.join(SCHEMES[name])}")
    if kind is str:
        return text
    wanted = next((each for each in get_args(kind) if each is not NoneType), kind)
    if wanted is Decimal:
        try:
            return _in_dollars(text)
        except InputError as error:
            raise InputError(f"{name}={error}") from error
    # Beyond so many characters it is too large anyhow, and Python refuses to read it.
    start = text[:41]
    value = wanted(start) if NUMBER[wanted].fullmatch(start) else 0
    if not 0 < value < float("inf"):
        raise InputError(f"{name}='{text}': must be a positive number")
    most = MAX_BYTES if name.endswith("_BYTES") else MAX_NUMBER
    if value > most:
        raise InputError(f"{name}='{text}': must be at most {most:,}")
    return value


def _redis(name: str, text: str) -> str:
    """Refuse a URL that the clients of Redis read differently, before one of them connects.

    Raises:
        InputError: with the fault.
    """
    try:
        url = urlsplit(text)
        port = url.port
        (url.hostname or "").encode("idna")
        options = parse_qsl(url.query, keep_blank_values=True, max_num_fields=10)
    except ValueError as error:
        raise InputError(f"{name}='{text}': {error}") from error
    names = REDIS_QUERIES.get(url.scheme, ())
    strange = [key for key, _ in options if key not in names]
    wrong = None
    if not text.startswith(tuple(f"{scheme}://" for scheme in REDIS_QUERIES)):
        wrong = "must begin with redis:// or rediss://"
    elif not url.hostname or port == 0:
        wrong = "names no host and port; write redis://host:6379/0"
    elif not REDIS_PATH.fullmatch(url.path):
        wrong = f"after the host comes the number of a database, 0 to {MAX_REDIS_DATABASE}"
    elif strange:
        wrong = f"'{strange[0]}' after the ? is not known" + (
            f"; known: {', '.join(names)}" if names else " here"
        )
    elif dict(options).get("ssl_cert_reqs", CERTIFICATES[0]) not in CERTIFICATES:
        wrong = f"ssl_cert_reqs must be one of {', '.join(CERTIFICATES)}"
    if wrong is not None:
        raise InputError(f"{name}='{text}': {wrong}")
    return text
