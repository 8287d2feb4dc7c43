"""Calls in a process of their own, which is ended when they take too long."""

import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from compiler.errors import LoweringError
from workers.parallel import DeafContext, begin

R = TypeVar("R")


def within(seconds: float, function: Callable[..., R], *arguments: Any) -> R:
    """Call a function in a fresh process; everything that it started ends with it.

    Args:
        seconds: that it may take.
        function: one that a fresh process can import.
        arguments: that can be pickled, as must be what is returned.

    Raises:
        LoweringError: if it takes longer, fails, or dies.
    """
    context = DeafContext()
    here, there = context.Pipe()
    call = context.Process(target=_call, args=(there, os.getpid()), daemon=False)
    try:
        call.start()
        there.close()
        # Not as arguments of the process: if it dies before it has read those, start() hangs.
        here.send((function, arguments))
        if not here.poll(seconds):
            raise LoweringError(f"stopped after {seconds:g} s")
        done, answer = here.recv()
    except (EOFError, OSError):
        raise LoweringError("its process ended without an answer") from None
    finally:
        if call.pid is not None:
            _end(call.pid)
            call.join()
        here.close()
    if not done:
        raise LoweringError(answer)
    return answer


def _call(caller: Connection, parent: int) -> None:
    begin(parent)
    # A session of its own, so that helpers of helpers can be ended together.
    os.setsid()
    try:
        function, arguments = caller.recv()
        caller.send((True, function(*arguments)))
    except Exception as error:  # noqa: BLE001 - third-party code may raise anything
        caller.send((False, " ".join(str(error).split()) or type(error).__name__))


def _end(session: int) -> None:
    for end in (os.killpg, os.kill):
        try:
            end(session, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue
