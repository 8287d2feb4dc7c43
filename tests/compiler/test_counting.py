"""Numbers of things in messages."""

import pytest

from compiler.counting import counted


@pytest.mark.parametrize(
    ("number", "told"), [(0, "0 gates"), (1, "1 gate"), (2, "2 gates"), (12345, "12,345 gates")]
)
def test_only_one_thing_is_one(number, told):
    assert counted(number, "gate") == told
