"""In which line of a TOML or JSON text a key or an element stands, for messages."""

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


def key_lines(text: str, *, json: bool) -> Mapping[Path, int]:
    """Return the lines, from 1, of all keys and elements of arrays by their paths.

    Args:
        text: a document that its parser has accepted.
        json: whether it is JSON, and not TOML.
    """
    walker = _Walker(text)
    # Where the parser has taken what this does not, lines are known as far as that.
    with suppress(IndexError):
        if json:
            walker.value(())
        else:
            walker.toml()
    return walker.lines


def line_of(lines: Mapping[Path, int], path: Path) -> int:
    """Return the line of a path, or of the longest beginning of it that stands in the text."""
    return next((lines[path[:n]] for n in range(len(path), 0, -1) if path[:n] in lines), 1)


class _Walker:
    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._tokens: list[tuple[str, str, int]] = []
        line = 1
        for found in TOKEN.finditer(text):
            if found.lastgroup != "comment":
                self._tokens.append((str(found.lastgroup), found[0], line))
            line += found[0].count("\n")
        self._at = 0

    def toml(self) -> None:
        """Walk over tables and what stands in them."""
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
