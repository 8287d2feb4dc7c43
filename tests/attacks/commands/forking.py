"""`python -m tests.attacks.commands.forking`: the command line, imported once and forked often.

Each line of standard input is a call, each line of standard output how it ended, in JSON. A call
runs in a child with bounded memory and time. What would compute for long, serve for ever or start
other programs ends the child instead: its input has then been accepted.
"""

import gc
import importlib
import json
import multiprocessing.process
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

HEADROOM_BYTES = 2 << 30
ACCEPTED = 99
"""Exit code of a command that has begun what it was asked for."""
CRASHED = 98
LONGEST_OUTPUT = 100_000
SLEPT_SECONDS = 0.05

SEAMS = (
    "compiler.compilation.listener:each_here", "workers.parallel:process_pool",
    "workers.queue.sweeper_process:sweeper_beside",
    "service.cli.scaling.command:measured", "games.cost_table:operator_costs",
)  # fmt: skip
"""Where work begins that needs no further process to begin."""


class Begun(BaseException):
    """The command has begun what it was asked for."""


def _begin(*_: Any, **__: Any) -> Any:
    raise Begun


def _install() -> None:
    """Put an end where computing, serving and waiting begin, before the commands are imported."""
    multiprocessing.process.BaseProcess.start = _begin
    socket.socket.listen = _begin
    started, slept = subprocess.Popen.__init__, time.sleep

    def start(self: Any, arguments: Any, *rest: Any, **named: Any) -> None:
        if not isinstance(arguments, list) or arguments[:1] != ["git"]:
            raise Begun
        started(self, arguments, *rest, **named)

    def sleep(seconds: float) -> None:
        if seconds > SLEPT_SECONDS:
            raise Begun
        slept(seconds)

    subprocess.Popen.__init__ = start
    time.sleep = sleep
    for seam in SEAMS:
        module, _, name = seam.partition(":")
        setattr(importlib.import_module(module), name, _begin)


def main() -> None:
    """Answer calls until standard input ends."""
    calls, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(null, stream)
    _install()
    from backends import backends
    from service.cli.front.commands import COMMANDS
    from workers.peers import peers

    for place in COMMANDS.values():
        importlib.import_module(f"service.cli.{place.partition(':')[0]}")
    # Whoever imports tket first makes a file of its settings at home.
    len(backends), len(peers)
    gc.disable()
    gc.freeze()
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in calls:
        print(json.dumps(_called(json.loads(line))), file=answers, flush=True)


def _called(call: dict[str, Any]) -> dict[str, Any]:
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        _run(call)
    watched = os.pidfd_open(child)
    ended = select.select([watched], [], [], call["wall_seconds"])[0]
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(child, signal.SIGKILL)
    _, status, used = os.wait4(child, 0)
    os.close(watched)
    code = os.waitstatus_to_exitcode(status) if ended else None
    if code == -signal.SIGXCPU:
        code = None
    return {
        "code": code,
        "seconds": used.ru_utime + used.ru_stime,
        "wall_seconds": time.monotonic() - began,
    }


def _run(call: dict[str, Any]) -> None:
    """Be the command, and end."""
    code = CRASHED
    try:
        os.setsid()
        _bound(call["seconds"])
        os.chdir(call["folder"])
        for stream, name in ((1, "out"), (2, "err")):
            written = os.open(f"{call['folder']}.{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(written, stream)
        os.environ.update(call["environment"])
        code = _code(lambda: _main()(call["arguments"]))
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)


def _main() -> Callable[[list[str]], None]:
    from service.cli import main as stichwerk

    return stichwerk


def _code(command: Callable[[], None]) -> int:
    try:
        command()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else CRASHED
    except Begun:
        return ACCEPTED
    except BaseException:  # noqa: BLE001 - told by the exit code
        traceback.print_exc()
        return CRASHED
    return CRASHED


def _bound(seconds: int) -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + HEADROOM_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))


if __name__ == "__main__":
    main()
