"""TOML documents, the lines of their keys, and texts that are no circuits."""

from decimal import Decimal
from pathlib import Path

import pytest

from compiler.errors import CircuitFileError, InputError
from compiler.formats.key_lines import key_lines, line_of, placed
from compiler.formats.text_content import text_of
from compiler.formats.toml_document import TomlError, toml_document
from games.sources import Source, read_program


def nested(depth: int) -> str:
    return "a = " + "[" * depth + "]" * depth


def test_the_deepest_document():
    assert toml_document(nested(31))["a"]
    with pytest.raises(TomlError, match="nested deeper than 32 levels"):
        toml_document(nested(33))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = " + "{a=" * 10_000, "nested deeper"),
        ("a." * 100_000 + "a = 1", "more than 200 dots in line 1"),
        ("a = 0x" + "f" * 10_000, "more than 64 bits"),
        ("a = 1." + "0" * 10_000, "a number of 10002 digits"),
        ("a = 1e99999999999999999999999", "too large a number"),
        ('a = "x\\u0000"', "holds the character NUL"),
        ("a = 1\na = 2", "Cannot overwrite"),
        ("\0", "at line 1"),
    ],
)
def test_what_is_too_much_is_refused(text, message):
    with pytest.raises(TomlError, match=message) as refused:
        toml_document(text, parse_float=Decimal)
    assert len(str(refused.value)) < 200


TOML = Path(__file__).with_name("lines.toml").read_text()
JSON = """\
{"a": 1,
 "b": [10,
   {"c": "x, y: [",
    "d": null}],
 "e": {"f": -1.5e3}
}
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("text",), 3),
        (("gates",), 9),
        (("gates", "cz", "odd key"), 10),
        (("case", 1), 14),
        (("case", 1, "more", "deep", 1), 18),
        (("nothing",), 1),
    ],
)
def test_toml(path, line):
    assert line_of(key_lines(TOML, json=False), path) == line


@pytest.mark.parametrize(
    ("path", "line"),
    [(("a",), 1), (("b", 0), 2), (("b", 1, "c"), 3), (("b", 1, "d"), 4), (("e", "f"), 5)],
)
def test_json(path, line):
    assert line_of(key_lines(JSON, json=True), path) == line


DOCUMENT = Path(__file__).with_name("game.toml").read_text()


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("game = 'skat': no such game", 2),
        ("deck: unknown card 'CX': write another", 5),
        ("deck: duplicate card 'CA'; name every card once", 6),
        ("weights 2: seat 7 can not be in turn", 19),
        ("not a TOML document: Invalid value (at line 4, column 9)", 4),
    ],
)
def test_the_line_of_a_message(message, line):
    assert placed("g.toml", DOCUMENT, message) == f"g.toml, line {line}: {message}"


TEXT = "OPENQASM 2.0;\n// größer\nqreg q[1];\ncreg c[1];\nU(1,2,3) q[0];\nmeasure q -> c;\n"


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_any_line_ends(ends):
    content = TEXT.replace("\n", ends).encode()
    assert text_of(content, "a.qasm") == TEXT
    assert read_program(Source("a.qasm", content)).circuit.count_ops() == {"u": 1, "measure": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (TEXT.encode("utf-8-sig"), "a.qasm: begins with a byte order mark of UTF-8; save it as"),
        (TEXT.encode("utf-16"), "a.qasm: begins with a byte order mark of UTF-16; save it as"),
        (b"\xfe\xff" + TEXT.encode("utf-16-be"), "a.qasm: begins with a byte order mark of UTF-16"),
        (TEXT.encode("utf-16-le"), "a.qasm: holds bytes of zero, as UTF-16 does"),
        (TEXT.encode("latin-1"), "a.qasm, line 2: not a UTF-8 text: byte 0xf6; save it as UTF-8"),
        (TEXT.encode() + b"\x1a", "a.qasm, line 7: control character U+001A; remove it"),
    ],
)
def test_other_texts_are_refused_in_one_line(content, message):
    for error, read in (
        (InputError, lambda: text_of(content, "a.qasm")),
        (CircuitFileError, lambda: read_program(Source("a.qasm", content))),
    ):
        with pytest.raises(error) as refused:
            read()
        assert str(refused.value).startswith(message)
        assert "\n" not in str(refused.value)
