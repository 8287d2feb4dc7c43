"""Fixtures of all rooms: real servers, and a browser."""

import atexit
import gc
import os
import signal
import tomllib
from pathlib import Path

import pytest
from hypothesis import settings

from .servers.axe import axe
from .servers.browser import chromium
from .servers.fixtures import (
    any_engine,
    each_empty_address,
    each_engine,
    empty_postgres_url,
    postgres_server,
    postgres_url,
    redis_server,
    redis_url,
)
from .servers.migrated import left_unsynced, migrated_once, statements_compiled_once

# Machines are shared: how long an example takes says nothing.
settings.register_profile("shared", max_examples=10, derandomize=True, database=None, deadline=None)
settings.register_profile("thorough", settings.get_profile("shared"), max_examples=250)
settings.load_profile("shared")

__all__ = [
    "any_engine", "axe", "chromium", "each_empty_address", "each_engine", "empty_postgres_url",
    "left_unsynced", "migrated_once", "postgres_server", "postgres_url",
    "pytest_collection_finish", "redis_server", "redis_url", "statements_compiled_once",
]  # fmt: skip

# Workers of pytest-xdist have the processors in use already: threads that compute together would
# only wait for one another.
if "PYTEST_XDIST_WORKER" in os.environ:
    for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"):
        os.environ.setdefault(threads, "1")

# What importing makes stays: looking through it for garbage again and again finds nothing.
gc.disable()
atexit.register(gc.freeze)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--quick`, for `make test-quick`."""
    parser.addoption("--quick", action="store_true", help="run the first case of each test")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what `cases.toml` leaves to `make test-full`; select one case each for `--quick`."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if not item.get_closest_marker("full"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for path, numbers in tomllib.loads((Path(__file__).parent / "cases.toml").read_text()).items():
        for name, number in numbers.items():
            for item in cases.get(f"{path}::{name}", ())[number:]:
                item.add_marker(pytest.mark.full)
    if config.getoption("quick"):
        first = {test[0] for test in cases.values() if not test[0].get_closest_marker("full")}
        config.hook.pytest_deselected(items=[item for item in items if item not in first])
        items[:] = [item for item in items if item in first]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Look for garbage from now on, but only in what tests make."""
    gc.freeze()
    gc.enable()


# A shell that runs the tests in the background lets all that they start ignore Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
