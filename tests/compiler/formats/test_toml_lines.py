"""Messages about TOML documents name the line that they are about."""

import pytest

from compiler.formats.key_lines import placed

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
