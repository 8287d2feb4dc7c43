"""Lines of a TOML or JSON text in which keys and elements stand, for messages."""

import re
from collections.abc import Mapping
from contextlib import suppress

Path = tuple[str | int, ...]

TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
      | (?P<string>\"{3}.*?\"{3,5}|'{3}.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')
      | (?P<newline>\n)
      | (?P<mark>[\[\]{},:=])
      | (?P<bare>[^\s\[\]{},:="'\#]+)""",
    re.VERBOSE | re.DOTALL,
)
ABOUT = re.compile(r"(?P<key>[\w-]+(?:\.[\w-]+)*)(?: (?P<number>\d+))?(?: = |: )")
SYNTAX = re.compile(r"\(at line (?P<line>\d+), column \d+\)")
END = "(at end of document)"
QUOTED = re.compile(r"'([^']+)'")
TWICE = ("duplicate", "twice")


def key_lines(text: str, *, json: bool) -> Mapping[Path, int]:
    """Return the lines, from 1, of all keys and elements of arrays by their paths.

    Args:
        text: a document that its parser has accepted.
        json: whether it is JSON, and not TOML.
    """
    walker = _Walker(text)
    # Where the parser accepts more than this, lines are known up to that place.
    with suppress(IndexError):
        if json:
            walker.value(())
        else:
            walker.toml()
    return walker.lines


def line_of(lines: Mapping[Path, int], path: Path) -> int:
    """Return the line of a path, or of the longest beginning of it that stands in the text."""
    return next((lines[path[:n]] for n in range(len(path), 0, -1) if path[:n] in lines), 1)


def placed(name: str, text: str, message: str) -> str:
    """Return a message with the name of a TOML document, and the line where that can be told.

    Args:
        name: of the document.
        text: the document.
        message: it begins with a key such as `deck` or `known.0`, or an entry such as `weights 2`;
            or it is the parser's own.
    """
    line = _line_about(text, message)
    return f"{name}, line {line}: {message}" if line else f"{name}: {message}"


def _line_about(text: str, message: str) -> int:
    """Return the line, from 1; 0 if it cannot be told."""
    rows = text.splitlines()
    if match := SYNTAX.search(message):
        return int(match["line"])
    if END in message:
        return len(rows)
    match = ABOUT.match(message)
    if match is None:
        return 0
    lines = key_lines(text, json=False)
    path: Path = tuple(match["key"].split("."))
    if match["number"]:
        return lines.get((*path, int(match["number"]) - 1), 0)
    nested = [each for each in lines if each[-1:] == path]
    while path and path not in lines:
        path = path[:-1]
    if not path and len(nested) == 1:
        (path,) = nested
    if not path:
        return 0
    last = max(line for each, line in lines.items() if each[: len(path)] == path)
    quotes = [quote + word + quote for word in QUOTED.findall(message) for quote in "'\""]
    holding = [
        line
        for line in range(lines[path], last + 1)
        if any(quoted in rows[line - 1] for quoted in quotes)
    ]
    at = -1 if any(word in message for word in TWICE) else 0
    return holding[at] if holding else lines[path]


class _Walker:
    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._tokens: list[tuple[str, str, int]] = []
        line = 1
        for match in TOKEN.finditer(text):
            if match.lastgroup != "comment":
                self._tokens.append((str(match.lastgroup), match[0], line))
            line += match[0].count("\n")
        self._at = 0

    def toml(self) -> None:
        """Walk over tables and their contents."""
        table: Path = ()
        tables: dict[Path, int] = {}
        while self._more():
            if self._text() != "[":
                self._pair(table, "=")
                while self._more(newlines=True) and self._text() != "\n":
                    self._at += 1
                continue
            line = self._line()
            self._at += 1
            is_array = self._text() == "["
            self._at += is_array
            table = self._resolved(self._key("]"), tables)
            self._at += 1 + is_array
            if is_array:
                tables[table] = tables.get(table, -1) + 1
                self.lines.setdefault(table, line)
                table = (*table, tables[table])
            self.lines.setdefault(table, line)

    def value(self, path: Path) -> None:
        """Walk over a value."""
        self._more()
        opened = self._text()
        self._at += 1
        if opened not in ("[", "{"):
            return
        closed, place = {"[": "]", "{": "}"}[opened], 0
        while self._more() and self._text() != closed:
            if self._text() == ",":
                self._at += 1
            elif opened == "[":
                self.lines[*path, place] = self._line()
                self.value((*path, place))
                place += 1
            else:
                self._pair(path, ":=")
        self._at += 1

    def _pair(self, path: Path, marks: str) -> None:
        line = self._line()
        key = self._key(marks)
        for depth in range(1, len(key) + 1):
            self.lines.setdefault(path + key[:depth], line)
        self._at += 1
        self.value(path + key)

    def _key(self, marks: str) -> Path:
        parts: list[str] = []
        while (text := self._text()) not in marks:
            if self._tokens[self._at][0] == "string":
                parts.append(text[1:-1])
            else:
                parts += [part for part in text.split(".") if part]
            self._at += 1
        return tuple(parts)

    def _resolved(self, key: Path, tables: Mapping[Path, int]) -> Path:
        """Return a header's path, with the place of each array of tables in it but the last."""
        path: Path = ()
        for depth, part in enumerate(key, start=1):
            path = (*path, part)
            if depth < len(key) and path in tables:
                path = (*path, tables[path])
        return path

    def _more(self, *, newlines: bool = False) -> bool:
        while not newlines and self._at < len(self._tokens) and self._text() == "\n":
            self._at += 1
        return self._at < len(self._tokens)

    def _text(self) -> str:
        return self._tokens[self._at][1]

    def _line(self) -> int:
        return self._tokens[self._at][2]
