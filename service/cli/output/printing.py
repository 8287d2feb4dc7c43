"""Output of commands: JSON or tables on stdout, progress on stderr."""

import errno
import json
import logging
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from shutil import get_terminal_size
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define, field
from rich.console import Console
from rich.table import Table
from rich.text import Text

from workers.logs import Interim, redacted

if TYPE_CHECKING:
    from pydantic import BaseModel

    from service.results.model import Table as ResultTable

from rich.cells import cell_len

FRAME, FRAME_OF_A_COLUMN = 1, 3
"""Characters of a table beside its cells: its left edge, and the space of each column."""
LONGEST_WORD = 20
"""Characters of a word that is not broken; of longer ones, such as digests, no column is that
wide."""
LONGEST_WORD_OF_A_LIST, LONGEST_WORD_OF_A_LONG_LIST = 8, 16
"""The same in a list, where each row is a line; and while it has dispensable columns."""
BLOCK = ("heading", "cell")
"""The columns of blocks."""


def column_widths(
    columns: Sequence[Sequence[str]], room: int, longest_word: int = LONGEST_WORD
) -> list[int] | None:
    """Return how wide columns are that share a line, none of which breaks a word.

    Args:
        columns: the texts of each, its heading among them.
        room: characters of all columns together.
        longest_word: characters of a word that is not broken.

    Returns:
        The widths, or None if there is no room for the longest word of each column.
    """
    widths = [max(map(cell_len, texts), default=0) for texts in columns]
    least = [
        max(
            (min(cell_len(word), longest_word) for text in texts for word in text.split()),
            default=0,
        )
        for texts in columns
    ]
    if sum(least) > room:
        return None
    while sum(widths) > room:
        spare = [
            (width, place)
            for place, (width, lowest) in enumerate(zip(widths, least, strict=True))
            if width > lowest
        ]
        widths[max(spare)[1]] -= 1
    return widths


def as_blocks(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Return a table as lines of a heading and a cell, an empty one between rows.

    Args:
        headings: of the columns.
        rows: of cells; empty ones are left out.
    """
    lines: list[tuple[str, str]] = []
    for row in rows:
        if lines:
            lines.append(("", ""))
        lines += [(name, cell) for name, cell in zip(headings, row, strict=False) if cell]
    return lines


NO_COLOUR = "NO_COLOR"
"""Environment variable; if it is set, nothing is coloured, as for all programs that know it."""
R = TypeVar("R", bound="BaseModel")
MAX_ROWS = 50
"""Rows of a table of all fields."""
ERASE = "\r\x1b[K"
PAUSE_SECONDS, LIVE_PAUSE_SECONDS = 30.0, 0.1
"""Least time between lines of progress of the same stage, in a log and on a terminal."""
LONGEST_LINE = 2000
"""Characters of a message; quoted text may be any number of times longer."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave errors of a closed pipe to the command line."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def print_json(result: "BaseModel") -> None:
    """Write one JSON document to stdout."""
    erase_progress()
    print(json_text(result), end="")


def json_text(result: "BaseModel | Mapping[str, Any]") -> str:
    """Return one JSON document, as commands print it and write it to files."""
    document = result if isinstance(result, Mapping) else result.model_dump(mode="json")
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def print_result(
    result: R, show: Callable[[R], None], *, as_json: bool, details: bool = False
) -> None:
    """Write a result to stdout.

    Args:
        result: of a command.
        show: prints it for people.
        as_json: whether it is printed as JSON instead.
        details: whether all of its fields follow that are set.
    """
    if as_json:
        print_json(result)
        return
    erase_progress()
    show(result)
    if details:
        _print_fields("Fields", result.model_dump(mode="json"))


def _print_fields(title: str, document: Mapping[str, Any]) -> None:
    """Print the single values of a document that are set, and each list of objects as a table."""
    fields = list(_flat(document))
    _print_columns(title, ("field", "value"), [row for row in fields if not _is_list(row[1])])
    for name, objects in fields:
        if _is_list(objects):
            rows = [dict(_flat(value)) for value in objects]
            lists = {key for row in rows for key, value in row.items() if _is_list(value)}
            columns = [key for key in dict.fromkeys(chain(*rows)) if key not in lists]
            _print_columns(name, columns, [[row.get(key) for key in columns] for row in rows])
            for place, row in enumerate(rows, 1):
                _print_fields(f"{name} {place}", {key: row[key] for key in lists & row.keys()})


def _print_columns(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    if rows and columns:
        print_table(title, columns, rows[:MAX_ROWS])
    if len(rows) > MAX_ROWS:
        print(f"{len(rows) - MAX_ROWS:,} more: see --json")


def _flat(document: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in document.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        elif value not in (None, "", []):
            yield prefix + name, value


def _is_list(value: object) -> bool:
    """Return whether a value is a list of objects, which has a table of its own."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    width: int | None = None,
    dispensable: Collection[str] | None = None,
) -> None:
    """Write a table to stdout; columns whose cells are all numbers or `–` are right-aligned.

    Where it has no room, cells take several lines; where the longest words of the columns have
    none beside one another, each row is a block of lines. A list has a line a row: cells are cut,
    empty columns are left out, and dispensable ones where there is no room.

    Args:
        title: the line above it.
        columns: their headings; none is shown if all are empty.
        rows: of cells.
        width: characters that it may take; by default those of the terminal, or 200 where there
            is none.
        dispensable: columns of a list that may be left out, those further to the right first; None
            for a table that is no list.
    """
    width = width or (terminal_width() if sys.stdout.isatty() else 200)
    is_list = dispensable is not None
    visible = list(zip(columns, *rows, strict=True))
    if is_list:
        visible = [
            column for column in visible if any(cell not in (None, "") for cell in column[1:])
        ]
    while True:
        texts = [list(map(_cell, column)) for column in visible]
        room = width - FRAME - FRAME_OF_A_COLUMN * len(visible)
        spare = [column for column in visible if column[0] in (dispensable or ())]
        if not spare or column_widths(texts, room, LONGEST_WORD_OF_A_LONG_LIST) is not None:
            break
        visible.remove(spare[-1])
    widths = column_widths(texts, room, LONGEST_WORD_OF_A_LIST if is_list else LONGEST_WORD)
    headings, *lines = zip(*texts, strict=True)
    table = Table(show_header=any(headings) and widths is not None)
    if widths is None and any(headings):
        for _ in BLOCK:
            table.add_column(overflow="fold")
        lines = as_blocks(headings, lines)
    else:
        for place, (heading, *cells) in enumerate(visible):
            numeric = all(
                isinstance(cell, int | float | None) and not isinstance(cell, bool)
                for cell in cells
            )
            table.add_column(
                str(heading),
                justify="right" if numeric else "left",
                overflow="ellipsis" if is_list else "fold",
                no_wrap=is_list,
                width=widths[place] if widths else None,
            )
    for line in lines:
        table.add_row(*line)
    erase_progress()
    print(printable(title))
    _Console(width=width, markup=False, emoji=False, highlight=False).print(table)


def print_rows(title: str, rows: Iterable[object], *columns: str, width: int | None = None) -> None:
    """Write a table of values, a row each; nothing if there are none.

    Args:
        title: the line above it.
        rows: the values.
        columns: the attribute of a value that stands there, such as `program` or
            `machine.hours`, perhaps after a heading and `=`; without one its last name is the
            heading. Items of tuples and mappings are named by their place or key.
        width: see `print_table`.
    """
    named = [column.rpartition("=")[::2] for column in columns]
    headings = [
        heading or path.rpartition(".")[2].replace("_", " ").replace("two qubit", "two-qubit")
        for heading, path in named
    ]
    cells = [[_at(row, path) for _, path in named] for row in rows]
    if cells:
        print_table(title, headings, cells, width)


def print_tables(tables: "Iterable[ResultTable]", width: int | None = None) -> None:
    """Write tables that have rows to stdout; see `print_table`."""
    for table in tables:
        if table.rows:
            print_table(table.title, table.columns or ("", ""), table.rows, width)


def _at(value: Any, path: str) -> Any:
    """Return the value at a path of attributes and items; None where the path ends early."""
    for name in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(name)
        elif name.isdigit() and value is not None:
            value = value[int(name)] if len(value) > int(name) else None
        else:
            value = None if value is None else getattr(value, name)
    return value


def terminal_width() -> int:
    """Return how many characters a line has, 100 where there is no terminal."""
    return get_terminal_size((100, 24)).columns


def coloured() -> bool:
    """Return whether stdout takes colours: a terminal, and NO_COLOR is not set."""
    return sys.stdout.isatty() and not os.environ.get(NO_COLOUR)


def say(message: str) -> None:
    """Write one line to stderr, or to the log of a command that keeps one."""
    erase_progress()
    _say(message)


@define
class _Shown:
    """State of the line of progress."""

    at: float = field(factory=monotonic)
    on_terminal: bool = False


_shown = _Shown()


def progress(message: str) -> None:
    """Show progress: one line on a terminal, which the next replaces; elsewhere a line a stage.

    Elsewhere, of the lines inside a stage (`Interim`) those are left out that follow another line
    within `PAUSE_SECONDS`.
    """
    is_live = _say is _say_on_stderr and sys.stderr.isatty()
    pause = LIVE_PAUSE_SECONDS if is_live else PAUSE_SECONDS
    if isinstance(message, Interim) and monotonic() - _shown.at < pause:
        return
    if is_live:
        line = Text(printable(message))
        line.truncate(terminal_width() - 1, overflow="ellipsis")
        print(f"{ERASE}{line}", end="", file=sys.stderr, flush=True)
    else:
        _say(message)
    _shown.at, _shown.on_terminal = monotonic(), is_live


def erase_progress() -> None:
    """Erase the line of progress from the terminal, so that something else stands there."""
    if _shown.on_terminal:
        print(ERASE, end="", file=sys.stderr, flush=True)
        _shown.on_terminal = False


def one_line(message: str) -> str:
    """Return a message as one line that is not too long, without secrets."""
    line = redacted(" ".join(message.split()))
    if len(line) > LONGEST_LINE:
        half = LONGEST_LINE // 2
        line = f"{line[:half]} … {line[-half:]}"
    return printable(line)


def printable(text: str) -> str:
    """Return a text with escapes for control characters of terminals."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def say_in_log(logger: logging.Logger) -> None:
    """Let all that is said from now on be lines of a log."""
    global _say  # noqa: PLW0603 - callers do not know which command they are part of
    _say = logger.info


def _say_on_stderr(message: str) -> None:
    print(printable(message), file=sys.stderr, flush=True)


_say: Callable[[str], None] = _say_on_stderr


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ", ".join(map(_cell, value))
    if isinstance(value, float):
        return f"{value:.4g}"
    return printable(str(value))
