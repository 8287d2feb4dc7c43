"""Attacks with poison find nothing."""

import pytest

from tests.attacks.poison import deadly, greedy, wide_states


@pytest.mark.parametrize(("attack", "jobs"), [(deadly, 8), (greedy, 2), (wide_states, 2)])
def test_poison_ends_nothing_but_its_own_jobs(attack, jobs):
    assert list(attack(jobs)) == []


@pytest.mark.full
def test_a_thousand_jobs_of_one_poison_kill_two_processes():
    assert list(deadly(1000)) == []
