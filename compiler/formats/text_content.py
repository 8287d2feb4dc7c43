"""Contents of text files: UTF-8 without a byte order mark, with any line ends."""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

from compiler.errors import InputError

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""Characters that databases cannot keep, or that terminals obey."""


def text_of(content: bytes, name: str, error: type[InputError] = InputError) -> str:
    """Return the text of a file, its line ends as newlines.

    Args:
        content: bytes of the file.
        name: name of the file, for messages.
        error: class of the error to raise.

    Raises:
        InputError: if it begins with a byte order mark, is not UTF-8, or holds a control character.
    """
    for mark, encoding in ((BOM_UTF8, "UTF-8"), (BOM_UTF16_LE, "UTF-16"), (BOM_UTF16_BE, "UTF-16")):
        if content.startswith(mark):
            raise error(
                f"{name}: begins with a byte order mark of {encoding}; save it as UTF-8 without one"
            )
    if b"\0" in content:
        raise error(f"{name}: holds bytes of zero, as UTF-16 does; save it as UTF-8")
    try:
        text = content.decode()
    except UnicodeDecodeError as wrong:
        line = content.count(b"\n", 0, wrong.start) + 1
        raise error(
            f"{name}, line {line}: not a UTF-8 text: byte 0x{content[wrong.start]:02x}; "
            "save it as UTF-8"
        ) from wrong
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    check_characters(text, name, error)
    return text


def check_characters(text: str, name: str, error: type[InputError] = InputError) -> None:
    """Refuse control characters other than tabs and line ends.

    Raises:
        InputError: naming the character and its line.
    """
    if match := CONTROL.search(text):
        line = text.count("\n", 0, match.start()) + 1
        raise error(
            f"{name}, line {line}: control character U+{ord(match[0]):04X}; remove it, or save "
            "the file as UTF-8"
        )
