"""What a process does in which calls are made that may crash, hang or take too much memory."""

import logging
import resource
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from attrs import frozen

LOADED = (
    "games.sources", "compiler.compilation", "compiler.formats.openqasm.version_3",
    "workers.compilation.orders", "backends", "qiskit_aer", "scipy.sparse",
)  # fmt: skip
"""What many calls need and takes seconds to import."""

REGISTRIES = (
    ("compiler.lowering", "pipelines"),
    ("compiler.targets.target", "target_families"),
    ("games.game", "games"),
    ("games.encoding", "encodings"),
)
"""What imports its entries only when somebody asks for them."""


@frozen
class Call:
    """A call to be made.

    Args:
        most_bytes: memory that it may take, beyond what the process had when it started.
        function: one that this process can import.
        arguments: that it is called with.
    """

    most_bytes: int
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


@frozen
class Said:
    """A line that was logged during a call."""

    logger: str
    level: int
    text: str


@frozen
class Answer:
    """What became of a call.

    Args:
        value: what was returned.
        error: what was raised instead.
        too_much_memory: whether it was stopped because it took more than it may.
        worn: whether this process holds so much memory that the next call needs another one.
    """

    value: Any = None
    error: Exception | None = None
    too_much_memory: bool = False
    worn: bool = False


def prepare() -> None:
    """Import what most calls need; nothing is computed, so that this process may still fork."""
    for name in LOADED:
        import_module(name)
    for module, registry in REGISTRIES:
        len(getattr(import_module(module), registry))
    # Qiskit looks for plugins at the first transpilation, and imports all that it finds.
    from qiskit.transpiler.preset_passmanagers.plugin import PassManagerStagePluginManager

    PassManagerStagePluginManager()


def work(connection: Connection) -> None:
    """Make the calls that come over a connection, until it is closed."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError):
        # Where memory runs out after all, this process is to end, not who waits for it.
        Path("/proc/self/oom_score_adj").write_text("1000")
    logging.getLogger().handlers = [_Forwarding(connection)]
    logging.getLogger().setLevel(logging.INFO)
    # Qiskit tells at this level of every pass of every transpilation.
    logging.getLogger("qiskit").setLevel(logging.WARNING)
    started = _data_bytes()
    while True:
        try:
            call: Call = connection.recv()
        except EOFError:
            return
        except Exception as error:  # noqa: BLE001 - what a plugin defines may be out of reach here
            _send(connection, Answer(error=error))
            continue
        _allow(started + call.most_bytes)
        answer = _answer(call)
        _allow(resource.RLIM_INFINITY)
        worn = answer.too_much_memory or _data_bytes() > started + call.most_bytes // 2
        _send(connection, Answer(answer.value, answer.error, answer.too_much_memory, worn))


def _answer(call: Call) -> Answer:
    try:
        return Answer(call.function(*call.arguments))
    except MemoryError:
        return Answer(too_much_memory=True)
    except Exception as error:  # noqa: BLE001 - libraries may raise anything, and it is passed on
        return Answer(error=error)


def _send(connection: Connection, answer: Answer) -> None:
    try:
        connection.send(answer)
    except (TypeError, AttributeError) as error:
        # Some libraries raise what cannot be taken apart.
        told = answer.error or error
        text = f"{type(told).__name__}: {told}"
        connection.send(Answer(error=RuntimeError(text), worn=answer.worn))


class _Forwarding(logging.Handler):
    """Sends what is logged to whoever waits for the call."""

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self._connection = connection

    def emit(self, record: logging.LogRecord) -> None:
        self._connection.send(Said(record.name, record.levelno, record.getMessage()))


def _allow(data_bytes: int) -> None:
    """Bound what is written to: stacks and heaps, but not what is only reserved or mapped."""
    resource.setrlimit(resource.RLIMIT_DATA, (data_bytes, resource.RLIM_INFINITY))


def _data_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    return pages * resource.getpagesize()
