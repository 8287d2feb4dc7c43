"""Matches of any game, begun, played by moves, and played by chance, for tests."""

from play.oracle import ExactOracle
from play.playable import playables


def started(game, seats=None, seed=1, **setup):
    """Return a match with a seed."""
    seats = {} if seats is None else {"seats": seats}
    return playables[game].start({"seed": seed, **seats, **setup})


def measured_by(oracle, match):
    """Return a match that waits for no more outcomes."""
    while match.awaited:
        match = match.learnt(oracle.measured(match))
    return match


def by_chance(match, random, moves=None):
    """Return a match after random moves, up to its end."""
    oracle = ExactOracle(7)
    while not match.over and moves != 0:
        match = measured_by(oracle, match)
        if match.to_move:
            seat = random.choice(match.to_move)
            match = match.play(seat, random.choice(list(match.legal_moves(seat))))
            moves = None if moves is None else moves - 1
    return match


def played(match, moves):
    """Return a match after moves, of which seat 0 makes the first."""
    for number, move in enumerate(moves):
        match = match.play(number % 2, move)
    return match
