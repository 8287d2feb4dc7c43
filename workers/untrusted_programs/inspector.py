"""Reading strangers' programs in another process, so that none of them can do harm in this one.

A program is parsed and planned by a child with bounded memory and time (`parser`). The result is
cached, so that the same program sent again costs nothing. There are some children, which tenants
take in turns (`tenant_turns`).
"""

import json
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from hashlib import sha256
from signal import Signals
from subprocess import DEVNULL
from typing import Any

from attrs import frozen

from compiler.errors import CircuitFileError, InputError
from compiler.formats.text_content import check_characters, text_of
from games.sources import Source
from workers.compilation.orders import CompileOrder, order_from_json
from workers.sandbox import sandbox
from workers.settings import Settings
from workers.untrusted_programs.parser import (
    CPU_SECONDS,
    HEADROOM_BYTES,
    answered,
    outcomes,
    settle,
)
from workers.untrusted_programs.tenant_turns import BusyError, Turns

MAX_CACHED = 10_000
MAX_WAITING = 24
"""Programs that wait or are read; as many more of tenants that have no other."""

MAX_READERS = 4
WALL_SECONDS = 2.0 * CPU_SECONDS
Tenant = int | None
"""A token; None without one."""

Settled = tuple[str, Mapping[str, Any]]


MAX_NESTING = 32
"""Brackets within brackets in the file of a game."""

ESCAPED = re.compile(r"\\u0000|\\U00000000")
"""Characters that databases cannot keep, as escapes of TOML."""


class TooHeavyError(InputError):
    """Reading a program took too much memory or time."""


@frozen
class Reading:
    """The meaning of a job's counts.

    Args:
        bits: classical bits of the program.
        registers: for each classical register of the program the numbers of its bits.
        outcomes: counts by the rules' outcomes; None for circuits.
    """

    bits: int
    registers: dict[str, list[int]]
    outcomes: dict[str, int] | None


class Inspector:
    """Reader processes with a cache of their results; safe to be shared by threads.

    Args:
        set_: with the limits on what is submitted over HTTP.
        seconds: limit of wall-clock time for a program.
    """

    def __init__(self, set_: Settings, seconds: float = WALL_SECONDS) -> None:
        self._settings, self._seconds = set_, seconds
        number = set_.readers or max(2, min(MAX_READERS, len(os.sched_getaffinity(0))))
        self._children = [_reader() for _ in range(number)]
        self._idle = list(self._children)
        self._known: OrderedDict[str, Future[Settled]] = OrderedDict()
        self._lock = threading.Lock()
        self._turns = Turns(number, MAX_WAITING)

    def start(self) -> None:
        """Start the children now, so that the first programs need not wait for that."""
        for child in self._children:
            child.begin()

    def close(self) -> None:
        """End the children."""
        for child in self._children:
            child.end()

    def settled(self, order: CompileOrder, backend: str, tenant: Tenant = None) -> CompileOrder:
        """Return an order checked and filled in, as `workers.jobs.submission.checked` would.

        Args:
            order: the request.
            backend: of the run.
            tenant: of the request.

        Raises:
            InputError: with the fault, in one line.
            BusyError: if too many others wait.
        """
        key = sha256(json.dumps([order.source.digest, order.target, order.as_json(), backend])
                     .encode()).hexdigest()  # fmt: skip
        target, options = self._once(key, tenant, lambda: self._settle(order, backend, tenant))
        return order_from_json(order.source, target, options)

    def reading(
        self, source: Source, encoding: str, counts: Mapping[str, int], tenant: Tenant = None
    ) -> Reading:
        """Return the meaning of counts.

        Args:
            source: the program of the run.
            encoding: of the program.
            counts: shots by measured bits, as integers in decimal, bit 0 the lowest.
            tenant: who asks.

        Raises:
            InputError: if the program cannot be read.
            BusyError: if too many others wait.
        """
        with self._turns.place(tenant):
            return Reading(**self._ask(tenant, outcomes, source, encoding, dict(counts)))

    def _settle(self, order: CompileOrder, backend: str, tenant: Tenant) -> Settled:
        if order.source.content:
            name = order.source.name
            text = text_of(order.source.content, name)
            check_program_text(name, text, self._settings.most_bytes)
        if len(order.source.expected) > self._settings.most_bytes:
            raise InputError(
                f"{order.source.name}: its expected result takes more than "
                f"{self._settings.most_bytes} bytes"
            )
        set_ = self._settings
        answer = self._ask(tenant, settle, order, backend, set_.most_qubits, set_.most_gates)
        return answer["target"], answer["options"]

    def _ask(
        self, tenant: Tenant, read: Callable[..., dict[str, Any]], *arguments: Any
    ) -> dict[str, Any]:
        with self._turns.turn(tenant) as turn:
            # As many turns are given as there are children.
            child = self._idle.pop()
            try:
                # To start a child takes longer than most programs, and is no tenant's fault.
                child.prepare()
                turn.begin()
                answer = self._answer(child, read, *arguments)
            except sandbox.StartError as error:
                raise BusyError(
                    "programs cannot be read just now; try again in some seconds"
                ) from error
            finally:
                # A tenant whose program was too much waits for the next child; no other does.
                with suppress(sandbox.StartError):
                    child.prepare()
                self._idle.append(child)
        if "refused" in answer:
            raise InputError(answer["refused"])
        return answer

    def _answer(self, child: sandbox.Sandbox, *call: Any) -> dict[str, Any]:
        try:
            return child.call(
                answered,
                *call,
                most_bytes=HEADROOM_BYTES,
                seconds=self._seconds,
                cpu_seconds=CPU_SECONDS,
            )
        except sandbox.TooMuchMemoryError:
            raise InputError("the program takes too much memory to be read") from None
        except sandbox.OverdueError:
            raise TooHeavyError(
                f"the program took more than {self._seconds:g} s to be read"
            ) from None
        except sandbox.SandboxError as error:
            late = isinstance(error, sandbox.CallDiedError) and error.code == -Signals.SIGXCPU
            much = "time" if late else "memory"
            raise TooHeavyError(f"the program takes too much {much} to be read") from None

    def _once(self, key: str, tenant: Tenant, find: Callable[[], Settled]) -> Settled:
        """Return the result of `find`, which is called once for each key."""
        with self._lock:
            future = self._known.get(key)
        if future is not None and future.done():
            return future.result()
        # A caller that waits for another's result takes a place, too.
        with self._turns.place(tenant):
            return self._future_of(key, find)

    def _future_of(self, key: str, find: Callable[[], Settled]) -> Settled:
        with self._lock:
            future = self._known.get(key)
            mine = future is None
            if future is None:
                future = self._known[key] = Future()
            self._known.move_to_end(key)
            if len(self._known) > MAX_CACHED:
                self._known.popitem(last=False)
        if mine:
            try:
                future.set_result(find())
            except Exception as error:  # noqa: BLE001 - raised below, for all who wait
                if not isinstance(error, InputError) or isinstance(error, TooHeavyError):
                    # Next time it may go better.
                    with self._lock:
                        self._known.pop(key, None)
                future.set_exception(error)
        return future.result()


def _reader() -> sandbox.Sandbox:
    """Return a child, whose answers need not be trusted and which no thread's end kills."""
    first = "workers.untrusted_programs.parser:warm_up"
    streams = {"stdout": DEVNULL, "stderr": DEVNULL}
    return sandbox.Sandbox(
        first, plain=True, bound=False, variables=sandbox.SINGLE_THREADED, **streams
    )


def check_program_text(name: str, text: str, max_bytes: int) -> None:
    """Refuse a file that arrives over HTTP by its text alone.

    Args:
        name: it ends in `.qasm` or `.toml`.
        text: the contents.
        max_bytes: its limit.

    Raises:
        InputError: naming the exceeded limit or the forbidden part.
    """
    if len(text.encode("utf-8", "surrogatepass")) > max_bytes:
        raise InputError(f"{name}: more than {max_bytes} bytes")
    if name.endswith(".qasm"):
        check_characters(text, name, CircuitFileError)
        return
    check_characters(text, name)
    if ESCAPED.search(text):
        raise InputError(f"{name}: holds the control character U+0000; remove it")
    depth = 0
    for bracket in re.findall(r"[\[\](){}]", text):
        depth += 1 if bracket in "([{" else -1
        if depth > MAX_NESTING:
            raise InputError(f"{name}: nested deeper than {MAX_NESTING} levels")
