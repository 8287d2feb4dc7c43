"""The command `stichwerk`: exit 0 done, 1 the answer is no, 2 bad input with one line why."""

import gc
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress

from service.cli.front.streams import open_streams, reader_has_left


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    texts = list(sys.argv[1:] if arguments is None else arguments)
    open_streams()
    code = _code(texts)
    if arguments is None:
        # From here Python ends, which would answer Ctrl-C with a traceback.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # Before it ends, Python looks for garbage in all modules, for half a second with Qiskit.
        gc.freeze()
    sys.exit(code)


def _code(arguments: list[str]) -> int:
    streams = sys.stdout, sys.stderr
    try:
        result = _run(arguments)
        sys.stdout.flush()
    except SystemExit:
        # So Typer ends, in place of the streams' errors, when the reader of a pipe has left.
        if reader_has_left(streams):
            return 0
        raise
    except (KeyboardInterrupt, Exception) as error:  # noqa: BLE001 - reported in one line
        if reader_has_left(streams):
            return 0
        return _report(error)
    return result


def _run(arguments: list[str]) -> int:
    # Ctrl-C is one line also while these are imported.
    from service.cli.front.application import command_line
    from service.cli.front.failures import INTERRUPTED, check_is_text

    check_is_text(arguments, os.environ)
    result = command_line().main(arguments, prog_name="stichwerk", standalone_mode=False)
    if result == INTERRUPTED:
        # Typer returns this for Ctrl-C.
        raise KeyboardInterrupt
    return result if isinstance(result, int) else 0


def _report(error: BaseException) -> int:
    """Write the failure of a command in one line on stderr, and return its exit code."""
    from service.cli.front.failures import DEBUG, failure
    from service.cli.output.printing import erase_progress, one_line

    failed = failure(error)
    if failed.internal and os.environ.get(DEBUG):
        traceback.print_exception(error)
    with suppress(OSError):
        erase_progress()
        print(f"stichwerk: {one_line(failed.message)}", file=sys.stderr, flush=True)
    return failed.code
