"""Logs of long-running processes, without secrets: lines for people, or one JSON object a line.

Lines that are logged during the work on a job carry the job's number.
"""

import json
import logging
import os
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType, TracebackType
from typing import Any, NoReturn
from urllib.parse import unquote, urlsplit

from workers.jobs.states import State

SECRET_NAMES = re.compile(r"TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|ACCESS_KEY", re.I)
ADDRESS_NAMES = ("STICHWERK_DATABASE", "STICHWERK_REDIS")
SHAPES = (
    re.compile(r"(?i)\b(bearer|apikey|basic)\s+[A-Za-z0-9._~+/=-]{8,}"),
    re.compile(r"\bstw_[A-Za-z0-9_-]{16,}"),
    re.compile(r"\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.?[A-Za-z0-9_-]*"),
    re.compile(r"(?i)\b(x-amz-(?:signature|security-token|credential)|signature)=[^\s&,\"']+"),
    re.compile(r"(?<=://)[^/\s:@]*:[^/\s@]+(?=@)"),
)
"""Keys in headers, our own tokens, JSON web tokens, signed URLs, passwords in URLs."""
HIDDEN = "[hidden]"


def redacted(text: str) -> str:
    """Return a text without the secrets of this process's environment, and without similar ones."""
    for secret in _secrets():
        text = text.replace(secret, HIDDEN)
    for shape in SHAPES:
        text = shape.sub(HIDDEN, text)
    return text


def _secrets() -> list[str]:
    named = {
        value for name, value in os.environ.items() if SECRET_NAMES.search(name) and len(value) >= 6
    }
    passwords = {
        unquote(password)
        for name in ADDRESS_NAMES
        if (password := _password(os.environ.get(name, "")))
    }
    return sorted(named | passwords, key=len, reverse=True)


def _password(address: str) -> str | None:
    try:
        return urlsplit(address).password
    except ValueError:
        # A secret in a text that is no URL is found by its shape.
        return None


class RedactingFilter(logging.Filter):
    """Rewrites every record of the logger or handler it is added to."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Hide secrets in the message and in the traceback; always let the record pass."""
        record.msg, record.args = redacted(record.getMessage()), None
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = redacted(record.exc_text)
        return True


LOG = logging.getLogger("stichwerk.jobs")
UNCAUGHT = logging.getLogger("stichwerk.uncaught")


class LogFormat(StrEnum):
    """Format of a line of the log."""

    TEXT = "text"
    JSON = "json"


class Interim(str):
    """Line of progress inside a stage, which the next line replaces."""

    __slots__ = ()


NOTHING: Mapping[str, object] = MappingProxyType({})

_context: ContextVar[Mapping[str, object]] = ContextVar("log_context", default=NOTHING)


@contextmanager
def logged_with(**fields: object) -> Iterator[None]:
    """Let all that is logged in a block carry these fields, such as `job=12`."""
    before = _context.set({**_context.get(), **fields})
    try:
        yield
    finally:
        _context.reset(before)


def log_move(job_id: int, backend: str, left: State, entered: State, detail: str) -> None:
    """Log that a job has gone from one state to another."""
    with logged_with(job=job_id, backend=backend, state=entered.value):
        LOG.info("job %s: %s → %s%s", job_id, left, entered, f": {detail}" if detail else "")


class JsonFormatter(logging.Formatter):
    """Writes a record that `RedactingFilter` has rewritten as one JSON object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return time (UTC), level, logger, message, the context's fields, and the traceback."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
        }
        line |= {name: _plain(value) for name, value in _context.get().items()}
        if record.exc_text:
            line["exception"] = record.exc_text
        return json.dumps(line, ensure_ascii=False)


def set_format(handler: logging.Handler, format_: LogFormat) -> None:
    """Let a handler write lines of a format, with their context and without secrets."""
    handler.addFilter(RedactingFilter())
    if format_ is LogFormat.JSON:
        handler.setFormatter(JsonFormatter())


def log_to_stderr(format_: LogFormat) -> None:
    """Let this process log to stderr, uncaught exceptions too."""
    logging.basicConfig(format="%(asctime)s %(name)s: %(message)s", level=logging.INFO)
    for handler in logging.getLogger().handlers:
        set_format(handler, format_)
    if format_ is LogFormat.JSON:
        log_what_nobody_catches()


def write_at_once(message: str, *_: object) -> None:
    """Write a JSON line past all buffers, as handlers of signals must."""
    fields = {"name": "celery", "levelname": "WARNING", "msg": message.strip()}
    record = logging.makeLogRecord(fields)
    RedactingFilter().filter(record)
    line = JsonFormatter().format(record)
    os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, f"{line}\n".encode())


def log_what_nobody_catches() -> None:
    """Let warnings, and exceptions that end a thread or the process, be lines of the log."""
    logging.captureWarnings(capture=True)

    def log(
        kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            return
        UNCAUGHT.critical("%s", kind.__name__, exc_info=(kind, error or kind(), trace))

    sys.excepthook = log
    threading.excepthook = lambda hit: log(hit.exc_type, hit.exc_value, hit.exc_traceback)


def _plain(value: object) -> object:
    return value if isinstance(value, bool | int | float | None) else redacted(str(value))


def leave(code: int) -> NoReturn:
    """End this process at once, without the seconds that Python takes to clean up."""
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
