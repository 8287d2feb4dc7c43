"""Texts of files: their encodings, line ends and control characters."""

import pytest

from compiler.errors import CircuitFileError, InputError
from compiler.formats.text_content import text_of
from games.sources import Source, read_program

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
