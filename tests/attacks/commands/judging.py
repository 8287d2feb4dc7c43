"""What a call may do with bad input, and what it may not."""

import re
from collections.abc import Iterator

from .calling import SECONDS, Ended
from .forking import ACCEPTED

PREFIX = "stichwerk: "
LONGEST_LINE = 2500
CRASHES = ("Traceback (most recent call last)", "Exception ignored", "Exception in thread")
EXCUSES = ("internal error", "the system refused", "not enough memory")
"""Lines that say nothing of what was wrong with the input."""


def faults(ended: Ended) -> Iterator[str]:
    """Yield what is wrong with how a call has ended; nothing if all is well."""
    if ended.code is None:
        yield f"hangs: no end after {SECONDS} s"
        return
    for crash in CRASHES:
        if crash in ended.err or crash in ended.out:
            last = ended.err.strip().splitlines()[-1:] or [""]
            yield f"shows a traceback: {last[0][:200]}"
            return
    for excuse in EXCUSES:
        if f"{PREFIX}{excuse}" in ended.err:
            yield _line(ended)
            return
    if ended.code not in (0, 1, 2, ACCEPTED):
        yield f"ends with {ended.code}: {_line(ended)}"
    elif ended.code == 2:
        yield from _refusal(ended)


def _refusal(ended: Ended) -> Iterator[str]:
    lines = ended.err.splitlines()
    named = [line for line in lines if line.startswith(PREFIX)]
    if len(named) != 1 or named != lines[-1:]:
        yield f"does not say in one line at the end what was wrong: {_line(ended)!r}"
    elif len(named[0]) > LONGEST_LINE:
        yield f"says what was wrong in {len(named[0]):,} characters"
    elif not named[0].isprintable():
        yield f"sends control characters to the terminal: {named[0][:200]!r}"
    elif re.fullmatch(r"stichwerk: .*?: ?(None|)", named[0]):
        yield f"gives no reason: {named[0][:200]}"
    if ended.out:
        yield f"writes to stdout although it refuses: {ended.out[:100]!r}"
    if ended.changed:
        yield f"has changed {', '.join(ended.changed)} although it refuses: {_line(ended)}"


def _line(ended: Ended) -> str:
    lines = ended.err.strip().splitlines()
    return lines[-1][:300] if lines else ""
