"""The command `stichwerk`: exit 0 done, 1 the answer is no, 2 bad input with one line why."""

import gc
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from shutil import get_terminal_size

from service.cli.front import completing
from service.cli.front.applications import build_app, build_list
from service.cli.front.commands import COMMANDS
from service.cli.front.start_page import start
from service.cli.front.streams import open_streams, reader_has_left

__all__ = ["COMMANDS", "build_app", "build_list", "main"]

NO_COLOUR_OPTION = "--no-color"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    open_streams()
    code = _code(given, is_process=arguments is None)
    if arguments is None:
        # What is left is Python's own end, which would answer Ctrl-C with a traceback.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(code)


def _code(arguments: list[str], is_process: bool) -> int:
    streams = sys.stdout, sys.stderr
    try:
        result = _run(arguments, is_process)
        sys.stdout.flush()
    except SystemExit:
        # So Typer ends, in place of the streams' errors, when nobody reads any more.
        if reader_has_left(streams):
            return 0
        raise
    except (KeyboardInterrupt, Exception) as error:  # noqa: BLE001 - told, never swallowed
        if reader_has_left(streams):
            return 0
        return _tell(error)
    return result


def _run(arguments: list[str], is_process: bool) -> int:
    from service.cli.failures import INTERRUPTED, check_is_text

    check_is_text(arguments, os.environ)
    completes = completing.is_asked(os.environ)
    if not arguments and not completes:
        print(start(get_terminal_size((100, 24)).columns))
        return 0
    line = completing.words(os.environ) if completes else arguments
    first = next((word for word in line if not word.startswith("-")), "")
    if NO_COLOUR_OPTION in arguments[: arguments.index(first) if first in arguments else None]:
        os.environ["NO_COLOR"] = "1"
    if is_process:
        gc.disable()
    chosen = [first] if first in COMMANDS else []
    app = build_app(chosen) if chosen and not completes else build_list(chosen)
    if is_process:
        # What has been imported stays: no search for garbage needs to go through it.
        gc.freeze()
        gc.enable()
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
