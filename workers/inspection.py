"""Reading strangers' programs in another process, so that none of them can do harm in this one.

A program is first refused by its text if that is plainly too much (`workers.program_text`), then
parsed and planned by a child with bounded memory and time (`workers.inspecting`). What came of it
is remembered, so that the same program sent again costs nothing.
"""

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from hashlib import sha256
from typing import Any

from attrs import frozen

from compiler.errors import InputError
from compiler.workload import Source
from workers.orders import CompileOrder, order_from_options
from workers.program_text import check_program_text
from workers.reading_process import WALL_SECONDS, BusyError, ReadingProcess, TooHeavyError
from workers.settings import Settings

MOST_REMEMBERED = 10_000
MOST_WAITING = 32
Settled = tuple[str, Mapping[str, Any]]


@frozen
class Reading:
    """What a job's counts stand for.

    Args:
        bits: classical bits of the program.
        outcomes: counts by what the rules call them; None for circuits.
    """

    bits: int
    outcomes: dict[str, int] | None


class Inspector:
    """The child, and what it has said; safe to be shared by threads.

    Args:
        set_: with the limits on what is submitted over HTTP.
        seconds: that a program may take, by the clock on the wall.
    """

    def __init__(self, set_: Settings, seconds: float = WALL_SECONDS) -> None:
        self._settings = set_
        self._child = ReadingProcess(seconds)
        self._known: OrderedDict[str, Future[Settled]] = OrderedDict()
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(MOST_WAITING)

    def start(self) -> None:
        """Start the child now, so that the first program need not wait for that."""
        self._child.start()

    def close(self) -> None:
        """End the child."""
        self._child.end()

    def settled(self, order: CompileOrder, backend: str) -> CompileOrder:
        """Return an order checked and filled in, as `workers.submission.checked` would.

        Raises:
            InputError: saying what is wrong with it, in one line.
            BusyError: if too many others wait.
        """
        key = sha256(json.dumps([order.source.digest, order.target, order.options, backend])
                     .encode()).hexdigest()  # fmt: skip
        target, options = self._once(key, lambda: self._settle(order, backend))
        return order_from_options(order.source, target, options)

    def reading(self, source: Source, encoding: str, counts: Mapping[str, int]) -> Reading:
        """Return what counts stand for; the keys are integers in decimal, bit 0 the lowest.

        Raises:
            InputError: if the program cannot be read.
            BusyError: if too many others wait.
        """
        answer = self._ask("outcomes", source, encoding=encoding, counts=dict(counts))
        return Reading(answer["bits"], answer["outcomes"])

    def _settle(self, order: CompileOrder, backend: str) -> Settled:
        if order.source.content:
            text = order.source.content.decode()
            check_program_text(order.source.name, text, self._settings)
        answer = self._ask(
            "settle",
            order.source,
            target=order.target,
            options=order.options,
            backend=backend,
            most_qubits=self._settings.most_qubits,
            most_gates=self._settings.most_gates,
        )
        return answer["target"], answer["options"]

    def _ask(self, ask: str, source: Source, **rest: Any) -> dict[str, Any]:
        question = {"ask": ask, "name": source.name, "content": source.content.decode(), **rest}
        if not self._places.acquire(blocking=False):
            raise BusyError("too many programs wait to be read; try again in some seconds")
        try:
            answer = self._child.ask(question)
        finally:
            self._places.release()
        if "refused" in answer:
            raise InputError(answer["refused"])
        return answer

    def _once(self, key: str, find: Callable[[], Settled]) -> Settled:
        """Return what `find` finds, which is called once for each key, whoever asks first."""
        with self._lock:
            known = self._known.get(key)
            mine = known is None
            if known is None:
                known = self._known[key] = Future()
            self._known.move_to_end(key)
            if len(self._known) > MOST_REMEMBERED:
                self._known.popitem(last=False)
        if mine:
            try:
                known.set_result(find())
            except Exception as error:  # noqa: BLE001 - raised below, for all who wait
                if not isinstance(error, InputError) or isinstance(error, TooHeavyError):
                    # Next time it may go better.
                    with self._lock:
                        self._known.pop(key, None)
                known.set_exception(error)
        return known.result()
