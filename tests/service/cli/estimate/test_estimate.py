"""The command `estimate`: what it answers, what it says beforehand, what it refuses."""

import json

import pytest

pytestmark = pytest.mark.usefixtures("brief_searches")

TOY = ("estimate", "skat-4", "--encoding", "lean")


def test_an_interval_that_stays_too_wide_is_a_no(stichwerk):
    done = stichwerk(
        *TOY, "--estimator", "counting", "--error", "0.3", "--shots", "1", "--json",
        "--backend", "sparse",
    )  # fmt: skip
    assert done.code == 1
    assert json.loads(done.out)["reached"] is False
