"""Tournaments on the command line."""

import pytest


def test_bots_are_rated_and_the_same_seed_gives_the_same(answer_of):
    arguments = ("tournament", "six-nimmt", "--bots", "random,greedy", "--games", "8")
    answer = answer_of(*arguments, "--seed", "5")
    assert (answer["game"], answer["games"], answer["seed"]) == ("six-nimmt", 8, 5)
    best, worst = answer["bots"]
    assert (best["bot"], worst["bot"]) == ("greedy", "random")
    assert best["strength"] == pytest.approx(-worst["strength"])
    assert best["low"] <= best["strength"] <= best["high"]
    assert best["won"] + worst["won"] >= 8
    assert best["mean_points"] > worst["mean_points"]
    assert answer_of(*arguments, "--seed", "5") == answer
