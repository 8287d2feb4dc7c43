"""One thing is not said to be several, nor the other way round."""

import pytest

from compiler.words.plurals import how_many


@pytest.mark.parametrize(
    ("number", "words", "said"),
    [
        (0, ("shot",), "0 shots"),
        (1, ("shot",), "1 shot"),
        (1200, ("shot",), "1,200 shots"),
        (1, ("entry", "entries"), "1 entry"),
        (2, ("entry", "entries"), "2 entries"),
    ],
)
def test_things_are_counted(number, words, said):
    assert how_many(number, *words) == said
