"""Logs: one JSON object a line, with the job that it is about, and without secrets."""

import json
import logging
import subprocess
import sys
from datetime import datetime
from io import StringIO

import pytest

from workers.logs import JsonFormatter, LogFormat, logged_with, set_format


@pytest.fixture
def logged():
    """Return a logger that writes JSON, and a function that returns its lines."""
    written = StringIO()
    handler = logging.StreamHandler(written)
    set_format(handler, LogFormat.JSON)
    logger = logging.getLogger("stichwerk.tests.logs")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    yield logger, lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    logger.removeHandler(handler)


def test_a_line_has_its_time_and_what_it_is_about(logged):
    logger, lines = logged
    logger.info("before")
    with logged_with(job=12, queue="submit"):
        with logged_with(state="done", job=13):
            logger.warning("a\nb %s", 1)
        logger.info("within")
    before, inner, outer = lines()
    assert datetime.fromisoformat(before["time"]).tzinfo is not None
    assert {name: before[name] for name in ("level", "logger", "message")} == {
        "level": "info", "logger": "stichwerk.tests.logs", "message": "before",
    }  # fmt: skip
    assert "job" not in before
    assert (inner["level"], inner["message"]) == ("warning", "a\nb 1")
    assert (inner["job"], inner["queue"], inner["state"]) == (13, "submit", "done")
    assert (outer["job"], outer["queue"], outer.get("state")) == (12, "submit", None)


def test_an_exception_is_one_line_and_secrets_are_in_none(logged, monkeypatch):
    logger, lines = logged
    monkeypatch.setenv("QISKIT_IBM_TOKEN", "planted-secret")
    try:
        int("planted-secret")
    except ValueError:
        with logged_with(job=1, backend="planted-secret"):
            logger.exception("failed with planted-secret")
    (line,) = lines()
    assert line["exception"].startswith("Traceback (most recent call last):\n")
    assert line["exception"].endswith("int() with base 10: '[hidden]'")
    assert (line["message"], line["backend"]) == ("failed with [hidden]", "[hidden]")


def test_what_nobody_catches_is_one_line():
    program = (
        "import threading, warnings\n"
        "from workers.logs import *\n"
        "log_to_stderr(LogFormat.JSON)\n"
        "warnings.warn('odd')\n"
        "thread = threading.Thread(target=lambda: 1 / 0)\n"
        "thread.start()\n"
        "thread.join()\n"
        "raise KeyError('last')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    warned, thread, last = [json.loads(line) for line in done.stderr.splitlines()]
    assert done.returncode == 1
    assert (warned["level"], warned["logger"]) == ("warning", "py.warnings")
    assert (thread["level"], thread["message"]) == ("critical", "ZeroDivisionError")
    assert thread["exception"].endswith("ZeroDivisionError: division by zero")
    assert last["exception"].endswith("KeyError: 'last'")


def test_each_change_of_a_job_is_told_with_its_fields(context):
    lines = []

    class Kept(logging.Handler):
        def emit(self, record):
            lines.append(json.loads(JsonFormatter().format(record)))

    handler = Kept()
    set_format(handler, LogFormat.JSON)
    logger = logging.getLogger("stichwerk.jobs")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        (job_id,) = context.submit()
        context.until(job_id)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
    told = [(line["job"], line["backend"], line["state"], line["level"]) for line in lines]
    states = ("compiling", "verifying", "submitting", "at_provider", "scoring", "done")
    assert told == [(job_id, context.backend, state, "info") for state in states]
    assert lines[3]["message"].startswith(f"job {job_id}: submitting → at_provider: as ")
