"""Which line of a TOML document a message is about."""

import re

KEY = re.compile(r"(?P<key>[\w-]+)(?:\.(?P<part>[\w-]+))?[\w.-]*(?: = |: )")
ENTRY = re.compile(r"(?P<key>[\w-]+) (?P<number>\d+): ")
SYNTAX = re.compile(r"\(at line (?P<line>\d+), column \d+\)")
END = "(at end of document)"
QUOTED = re.compile(r"'([^']+)'")
HEADER = re.compile(r"\s*\[\[?\s*\"?(?P<key>[\w-]+)")
ASSIGNED = re.compile(r"\s*\"?(?P<key>[\w-]+)\"?\s*(?:\.\s*\"?(?P<part>[\w-]+)\"?\s*)?=")
TWICE = ("duplicate", "twice")


def placed(name: str, text: str, message: str) -> str:
    """Return a message with the document's name, and the line where that can be told.

    Args:
        name: of the document.
        text: the document.
        message: it begins with what it is about: a key such as `deck` or `known.0`, or an entry
            such as `weights 2`; or it is the parser's own.
    """
    line = _line(text, message)
    return f"{name}, line {line}: {message}" if line else f"{name}: {message}"


def _line(text: str, message: str) -> int:
    """Return the line, from 1; 0 if it cannot be told."""
    if found := SYNTAX.search(message):
        return int(found["line"])
    lines = text.splitlines()
    if END in message:
        return len(lines)
    if found := ENTRY.match(message):
        headers = [n for n, line in enumerate(lines, 1) if _header(line) == found["key"]]
        number = int(found["number"])
        return headers[number - 1] if 0 < number <= len(headers) else 0
    found = KEY.match(message)
    if found is None:
        return 0
    block = _block(lines, found["key"], found["part"] or "")
    named = QUOTED.findall(message)
    holding = [
        number
        for number in block
        if any(f'"{word}"' in lines[number - 1] or f"'{word}'" in lines[number - 1]
               for word in named)
    ]  # fmt: skip
    if not holding:
        return block[0] if block else 0
    return holding[-1 if any(word in message for word in TWICE) else 0]


def _block(lines: list[str], key: str, part: str) -> list[int]:
    """Return the lines of a key's value; of a part of it, if that has lines of its own.

    A key of some table, named alone, is found where no other line assigns it.
    """
    table, wanted = "", False
    own: list[int] = []
    whole: list[int] = []
    for number, line in enumerate(lines, 1):
        if header := _header(line):
            table, wanted = header, header == key and not part
        elif assigned := ASSIGNED.match(line):
            first, second = assigned["key"], assigned["part"] or ""
            path = (table, first) if table else (first, second)
            wanted = path == (key, part) if part else path[0] == key
        if wanted:
            own.append(number)
        if table == key or (not table and (match := ASSIGNED.match(line)) and match["key"] == key):
            whole.append(number)
    if not whole:
        whole = [n for n, line in enumerate(lines, 1)
                 if (match := ASSIGNED.match(line)) and match["key"] == key]  # fmt: skip
        whole = whole if len(whole) == 1 else []
    return own or whole


def _header(line: str) -> str:
    found = HEADER.match(line)
    # A list may go on in a line that begins with a bracket, and ends there or with a comma.
    closed = line.split("#", maxsplit=1)[0].rstrip().endswith("]")
    return found["key"] if found and closed and '"' not in line and "," not in line else ""
