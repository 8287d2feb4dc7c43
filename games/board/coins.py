"""Five in a row noticed from the list of moves alone, however many games there are.

Under the default rules a stone is put where a point is empty in every game. So each point gets
one stone at most, and that one lies there exactly in the games in which some coins have fallen in
some way: no coin for X, one more for S± and D±, and those of the control for C and D±. Five stones
are in a row in some game if the coins of all five agree, which takes time proportional to moves
and lines, and the probability is 1/2 for each coin. The superposition may have 2^40 games.
"""

from collections.abc import Mapping, Sequence

from attrs import frozen

from games.board.rules.five_in_a_row import LENGTH
from games.board.rules.groups import lines_through
from games.board.rules.moves import ALWAYS, Arm
from games.board.rules.position import Turn
from games.board.rules.superposition import Stone

Coins = frozenset[tuple[int, bool]]
"""Outcomes of some coins: number and side of each."""

NO_COINS: Coins = frozenset()


@frozen
class Lying:
    """A stone that lies on a point in some games.

    Args:
        colour: colour of the stone.
        coins: coins with which it lies there.
    """

    colour: Stone
    coins: Coins


def lying_stones(turns: Sequence[Turn]) -> Mapping[int, Lying]:
    """Return for each touched point its stone and the coins with which it lies there.

    Args:
        turns: turns of a game, in order. Targets are empty in every game, controls are asked for
            the opponent's stone, no stone is taken away, and all moves are gates.
    """
    result: dict[int, Lying] = {}
    coins = 0
    for turn in turns:
        for arm in turn.move.acting:
            control = _control(result, turn.colour, arm)
            if control is None:
                continue
            if len(arm.targets) == 1:
                result[arm.targets[0]] = Lying(turn.colour, control)
                continue
            for target, side in zip(arm.targets, (True, False), strict=True):
                result[target] = Lying(turn.colour, control | {(coins, side)})
            coins += 1
    return result


def lines_of_five(
    stones: Mapping[int, Lying], colour: Stone, size: int
) -> dict[tuple[int, ...], Coins]:
    """Return the lines that have five stones of a colour in some game, and with which coins.

    Args:
        stones: see `lying_stones`.
        colour: colour of the stones.
        size: lines of the board.
    """
    own = {point: lying.coins for point, lying in stones.items() if lying.colour is colour}
    result = {}
    for line in lines_through(list(own), size, LENGTH):
        coins = frozenset().union(*(own[point] for point in line))
        if len({coin for coin, _ in coins}) == len(coins):
            result[line] = coins
    return result


def _control(stones: Mapping[int, Lying], colour: Stone, arm: Arm) -> Coins | None:
    """Return the coins with which an arm acts; None if it never does."""
    if arm.control == ALWAYS:
        return NO_COINS
    lying = stones.get(arm.control)
    return lying.coins if lying is not None and lying.colour is colour.other else None
