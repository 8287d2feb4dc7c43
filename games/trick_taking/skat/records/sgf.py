"""The server's dialect of SGF: properties with digits in their names, which SGF does not have."""

from collections.abc import Iterator, Mapping
from re import DOTALL, compile

PART = compile(r"\(\s*;|([A-Z][A-Z0-9]{0,7})\[((?:\\.|[^][\\])*)\]", DOTALL)
"""The start of a game, or a property NAME[value]; brackets in a value have a backslash before."""

ENCODINGS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}
"""By the byte order mark."""


def decoded(content: bytes) -> str:
    """Return the text of a file in UTF-8, in UTF-16 with a byte order mark, or in Latin-1.

    Only names and comments have letters that are not ASCII.
    """
    encoding = next((name for mark, name in ENCODINGS.items() if content.startswith(mark)), "utf-8")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return content.decode("latin-1")


def read_properties(text: str) -> Iterator[Mapping[str, list[str]]]:
    """Return the values of the properties of each game, `(;NAME[value]… ;)`.

    A second `GM` begins a game, too. Other text is skipped, so that a game that is broken, or in
    which a bracket is missing, spoils no other.
    """
    game: dict[str, list[str]] = {}
    for part in PART.finditer(text):
        name, value = part.groups()
        if game and (name is None or (name == "GM" and name in game)):
            yield game
            game = {}
        if name is not None:
            game.setdefault(name, []).append(value)
    if game:
        yield game
