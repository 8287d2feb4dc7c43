"""Lines of keys, against texts in which they can be seen."""

import pytest

from compiler.formats.key_lines import key_lines, line_of, placed

TOML = '''\
# a comment with [brackets] and = signs
title = "a # b"   # another
text = """
two = "lines"
"""
pairs = [[0, 1],  # the first
  [2, 3],
]
[gates]
cz = { error = 1, "odd key" = 2 }
a.b = 3
[[case]]
name = 'x'
[[case]]
name = "y"
[case.more]
deep = [1,
  2]
'''
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
        (("title",), 2),
        (("text",), 3),
        (("pairs", 0), 6),
        (("pairs", 1, 1), 7),
        (("gates",), 9),
        (("gates", "cz", "error"), 10),
        (("gates", "cz", "odd key"), 10),
        (("gates", "a", "b"), 11),
        (("case", 0, "name"), 13),
        (("case", 1), 14),
        (("case", 1, "name"), 15),
        (("case", 1, "more", "deep", 1), 18),
        (("gates", "cz", "nothing"), 10),
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


@pytest.mark.parametrize("text", ["", "[", "a", "a = ", "[[x", "a = {b = 1"])
def test_what_no_parser_takes_has_the_lines_until_there(text):
    assert line_of(key_lines(text, json=False), ("b",)) == 1


DOCUMENT = """# a game
game = "skat"
deck = [
    "CA", "C10",
    "CX",
    "CA",
]
points = { A = 11, B = 2 }

[known]
0 = ["CA"]
"A" = ["CK"]  # again

[class_counts]
0 = { T = 1 }

[[weights]]
seat = 0
[[weights]]
seat = 7
"""


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("game = 'skat': no such game", 2),
        ("deck: no card has points", 3),
        ("deck: unknown card 'CX': write another", 5),
        ("deck: duplicate card 'CA'; name every card once", 6),
        ("points.B: unknown rank", 8),
        ("known.0: 3 cards are known of a hand of 2", 11),
        ("known.A: is there twice", 12),
        ("known = {}: write a table", 10),
        ("class_counts.0.T = 1: too many", 15),
        ("weights 2: seat 7 can not be in turn", 19),
        ("not a TOML document: Invalid value (at line 4, column 9)", 4),
    ],
)
def test_the_line_of_a_message(message, line):
    assert placed("g.toml", DOCUMENT, message) == f"g.toml, line {line}: {message}"


@pytest.mark.parametrize(
    "message", ["trump: missing in skat rules", "weights 3: no such", "seat: two of them", "Oh."]
)
def test_what_has_no_line_is_said_of_the_document(message):
    assert placed("g.toml", DOCUMENT, message) == f"g.toml: {message}"
