"""Attacks with poison find nothing."""

import pytest

from tests.attacks.poison import deadly, greedy, wide_states


@pytest.mark.parametrize("attack", [deadly, greedy, wide_states])
def test_poison_ends_nothing_but_its_own_jobs(attack):
    assert list(attack()) == []


@pytest.mark.full
def test_a_thousand_jobs_of_one_poison_kill_two_processes():
    assert list(deadly(1000)) == []
