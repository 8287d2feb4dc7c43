"""The command `stichwerk`: exit 0 done, 1 the answer is no, 2 bad input with one line why."""

import os
import select
import signal
import sys
import traceback
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

# All else is imported where Ctrl-C is already heard.
if TYPE_CHECKING:
    import typer

COMMANDS: Mapping[str, str] = {
    "games": "service.cli.games:games_command",
    "targets": "service.cli.lists:targets_command",
    "backends": "service.cli.lists:backends_command",
    "costs": "service.cli.costs:costs_command",
    "compile": "service.cli.compile:compile_command",
    "run": "service.cli.run:run_command",
    "bench": "service.cli.bench:bench",
    "report": "service.cli.report:report_command",
    "peers": "service.cli.peers.command:peers_command",
    "gates": "service.cli.gates.command:gates_app",
    "scaling": "service.cli.scaling.command:scaling_command",
    "fidelity": "service.cli.fidelity.command:fidelity_command",
    "submit": "service.cli.queue.submit:submit_command",
    "jobs": "service.cli.queue.jobs:jobs_command",
    "job": "service.cli.queue.jobs:job_command",
    "result": "service.cli.queue.jobs:result_command",
    "cancel": "service.cli.queue.control:cancel_command",
    "retry": "service.cli.queue.control:retry_command",
    "rescore": "service.cli.queue.control:rescore_command",
    "up": "service.cli.servers.up:up_command",
    "worker": "service.cli.servers.worker:worker_command",
    "serve": "service.cli.servers.serve:serve_command",
    "token": "service.cli.administration.token:token_app",
    "migrate": "service.cli.administration.migrate:migrate_command",
    "status": "service.cli.queue.status:status_command",
    "backup": "service.cli.administration.backup:backup_command",
    "restored": "service.cli.administration.backup:restored_command",
    "providers": "service.cli.servers.providers:providers_command",
}
"""Where each command is: those that compile take seconds to import, the others do not."""


def build_app(names: Iterable[str]) -> "typer.Typer":
    """Return the application with these commands only."""
    import typer

    app = typer.Typer(
        name="stichwerk",
        help="Compile quantum games to real machines, and measure how well the machines play them.",
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",
    )
    # With a callback, a single command keeps its name.
    app.callback()(lambda: None)
    for name in names:
        module, _, attribute = COMMANDS[name].partition(":")
        command = getattr(import_module(module), attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _open_streams()
    code = _code(given or ["--help"])
    if arguments is None:
        # What is left is Python's own end, which would answer Ctrl-C with a traceback.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(code)


def _code(arguments: list[str]) -> int:
    streams = sys.stdout, sys.stderr
    try:
        result = _run(arguments)
        sys.stdout.flush()
    except SystemExit:
        # So Typer ends, in place of the streams' errors, when nobody reads any more.
        if _reader_has_left(streams):
            return 0
        raise
    except (KeyboardInterrupt, Exception) as error:  # noqa: BLE001 - told, never swallowed
        if _reader_has_left(streams):
            return 0
        return _tell(error)
    return result


def _run(arguments: list[str]) -> int:
    from service.cli.failures import INTERRUPTED, check_is_text

    check_is_text(arguments, os.environ)
    first = arguments[0]
    app = build_app([first] if first in COMMANDS else COMMANDS)
    result = app(arguments, prog_name="stichwerk", standalone_mode=False)
    if result == INTERRUPTED:
        # Typer has made this of it, without a word.
        raise KeyboardInterrupt
    return result if isinstance(result, int) else 0


def _tell(error: BaseException) -> int:
    """Say in one line on stderr why a command has failed, and return its exit code."""
    from service.cli.failures import DEBUG, failure
    from service.cli.output.printing import one_line

    told = failure(error)
    if told.ours and os.environ.get(DEBUG):
        traceback.print_exception(error)
    with suppress(OSError):
        print(f"stichwerk: {one_line(told.message)}", file=sys.stderr, flush=True)
    return told.code


def _open_streams() -> None:
    """Let anything be printed, on terminals that lack characters and where nothing is open."""
    sys.stdout = _writable(sys.stdout)
    sys.stderr = _writable(sys.stderr)


def _writable(stream: TextIO | None) -> TextIO:
    if stream is None:
        return Path(os.devnull).open("w")
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream


def _reader_has_left(streams: Iterable[TextIO]) -> bool:
    """Tell whether the reader of a pipe, such as `head`, has left; nothing is wrong then."""
    left = False
    for stream in streams:
        if _descriptor(stream) is None:
            continue
        try:
            left = left or _is_broken(stream)
            stream.flush()
        except BrokenPipeError:
            left = True
            _give_up(stream)
        except OSError:
            _give_up(stream)
    return left


def _descriptor(stream: TextIO) -> int | None:
    try:
        return stream.fileno()
    except (OSError, ValueError):
        # Nothing of the system's, or closed.
        return None


def _is_broken(stream: TextIO) -> bool:
    # What was written without a buffer is lost already, and the next flush finds nothing wrong.
    asked = select.poll()
    asked.register(stream, 0)
    return any(event & select.POLLERR for _, event in asked.poll(0))


def _give_up(stream: TextIO) -> None:
    # Python writes what is left when it ends, and would tell that it cannot.
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
