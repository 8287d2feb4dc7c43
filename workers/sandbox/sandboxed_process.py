"""The process in which calls are made that may crash, hang or take too much."""

import ctypes
import json
import logging
import os
import resource
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from logging.handlers import QueueHandler
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path
from time import process_time
from types import SimpleNamespace
from typing import Any

from attrs import frozen

LOADED = (
    "games.sources", "compiler.compilation", "compiler.formats.openqasm.version_3",
    "workers.compilation.orders", "backends", "qiskit_aer", "scipy.sparse",
)  # fmt: skip
"""Modules that many calls need and that take seconds to import."""

REGISTRIES = (
    ("compiler.lowering", "pipelines"),
    ("compiler.targets.target", "target_families"),
    ("games.game", "games"),
    ("games.encoding", "encodings"),
)
"""Registries that import their entries at the first question only."""


PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    """Let the kernel kill this process when its parent has ended, however it does.

    A thread that waits for the parent's end could not: a library may keep Python's lock for hours.
    """
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


@frozen
class Answer:
    """The result of a call.

    Args:
        value: the result.
        error: the exception, if there was one; of a plain answer its text.
        too_much_memory: whether it was stopped because it took more than it may.
        worn: whether the process holds so much memory that the next call needs another one.
    """

    value: Any = None
    error: Exception | str | None = None
    too_much_memory: bool = False
    worn: bool = False


def prepare() -> None:
    """Import what most calls need, whose memory then counts for no call."""
    for name in LOADED:
        import_module(name)
    for module, registry in REGISTRIES:
        len(getattr(import_module(module), registry))
    # Qiskit looks for plugins at the first transpilation, and imports all that it finds.
    from qiskit.transpiler.preset_passmanagers.plugin import PassManagerStagePluginManager

    PassManagerStagePluginManager()


def work(connection: Connection, *, plain: bool) -> None:
    """Make the calls that come over a connection, until it is closed.

    Args:
        connection: yields functions with their arguments and limits.
        plain: whether answers are JSON, so that who reads them need not trust this process.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError):
        # Where memory runs out after all, this process is to end, not who waits for it.
        Path("/proc/self/oom_score_adj").write_text("1000")
    if plain:
        logging.disable()
    logging.getLogger().handlers = [QueueHandler(SimpleNamespace(put_nowait=connection.send))]
    logging.getLogger().setLevel(logging.INFO)
    # Qiskit tells at this level of every pass of every transpilation.
    logging.getLogger("qiskit").setLevel(logging.WARNING)
    started = _data_bytes()
    with suppress(EOFError, ConnectionError):
        connection.send_bytes(b"ready")
        while True:
            try:
                function, arguments, most_bytes, cpu_seconds = connection.recv()
            except (EOFError, ConnectionError):
                raise
            except Exception as error:  # noqa: BLE001 - a plugin's class may be out of reach here
                _send(connection, Answer(error=error), plain=plain)
                continue
            limits = most_bytes, cpu_seconds
            _send(connection, _answer(function, arguments, *limits, started), plain=plain)


def _answer(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    most_bytes: int | None,
    cpu_seconds: float | None,
    started: int,
) -> Answer:
    """Make a call, with the memory that this process has had at its start and the call's own."""
    value, error, too_much, worn = None, None, False, False
    try:
        if cpu_seconds is not None:
            _limit(resource.RLIMIT_CPU, ceil(process_time() + cpu_seconds))
        if most_bytes is not None:
            # Written stacks and heaps count, memory that is only reserved or mapped does not.
            _limit(resource.RLIMIT_DATA, started + most_bytes)
        value = function(*arguments)
    except MemoryError:
        too_much = worn = True
    except Exception as raised:  # noqa: BLE001 - libraries may raise anything, and it is passed on
        error = raised
    _limit(resource.RLIMIT_DATA, resource.RLIM_INFINITY)
    worn = worn or (most_bytes is not None and _data_bytes() > started + most_bytes // 2)
    return Answer(value, error, too_much, worn)


def _send(connection: Connection, answer: Answer, *, plain: bool) -> None:
    if plain:
        error = answer.error and str(answer.error)
        fields = answer.value, error, answer.too_much_memory, answer.worn
        connection.send_bytes(json.dumps(fields).encode())
        return
    try:
        connection.send(answer)
    except (TypeError, AttributeError) as error:
        # Some libraries raise exceptions that cannot be pickled.
        raised = answer.error or error
        text = f"{type(raised).__name__}: {raised}"
        connection.send(Answer(error=RuntimeError(text), worn=answer.worn))


def _limit(kind: int, most: int) -> None:
    _, hard = resource.getrlimit(kind)
    limits = [each for each in (most, hard) if each != resource.RLIM_INFINITY]
    resource.setrlimit(kind, (min(limits, default=resource.RLIM_INFINITY), hard))


def _data_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    return pages * resource.getpagesize()
