"""Documents that no parser should be given, and those that it should."""

from decimal import Decimal

import pytest

from compiler.formats.toml_document import TomlError, toml_document


def test_a_document_is_what_it_says():
    text = 'a = 1\nb = [1.5, "x.y"]\n[c.d]\ne = 2026-01-31\n'
    found = toml_document(text, parse_float=Decimal)
    assert (found["a"], found["b"]) == (1, [Decimal("1.5"), "x.y"])
    assert found["c"]["d"]["e"].isoformat() == "2026-01-31"


def nested(depth: int) -> str:
    return "a = " + "[" * depth + "]" * depth


def test_the_deepest_document():
    assert toml_document(nested(31))["a"]
    with pytest.raises(TomlError, match="nested deeper than 32 levels"):
        toml_document(nested(33))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (nested(100_000), "nested deeper"),
        ("a = " + "{a=" * 10_000, "nested deeper"),
        ("a." * 100 + "a = 1", "nested deeper"),
        ("a." * 100_000 + "a = 1", "more than 200 dots in line 1"),
        ("a = " + "9" * 10_000, "too many digits"),
        ("a = 0x" + "f" * 10_000, "more than 64 bits"),
        ("a = 9223372036854775808", "more than 64 bits"),
        ("a = [-9223372036854775809]", "more than 64 bits"),
        ("a = 1." + "0" * 10_000, "a number of 10002 digits"),
        ("a = 1e99999999999999999999999", "too large a number"),
        ('a = "x\\u0000"', "holds the character NUL"),
        ('"\\u0000" = 1', "holds the character NUL"),
        ("a = 1\na = 2", "Cannot overwrite"),
        ("\0", "at line 1"),
        ("a = 2026-02-30", "at line 1"),
    ],
)
def test_what_is_too_much_is_refused(text, message):
    with pytest.raises(TomlError, match=message) as refused:
        toml_document(text, parse_float=Decimal)
    assert len(str(refused.value)) < 200


def test_the_largest_integers():
    assert toml_document("a = [9223372036854775807, -9223372036854775808]") == {
        "a": [2**63 - 1, -(2**63)]
    }
