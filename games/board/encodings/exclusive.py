"""Conjunctions of coins, any of which may hold, as a sum mod 2 of conjunctions."""

from collections.abc import Iterable, Mapping

from attrs import frozen

from games.board.coins import Coins

MOST_TERMS = 256


@frozen
class Term:
    """A conjunction.

    Args:
        coins: how they must have fallen.
        points: whose stones all lie there exactly then.
    """

    coins: Coins
    points: frozenset[int]


def shortest(lines: Mapping[tuple[int, ...], Coins]) -> list[Term]:
    """Return lines of five, without those that hold only where another one does.

    Args:
        lines: the points of each, and with which coins their stones are all there.
    """
    found: dict[Coins, frozenset[int]] = {}
    for line, coins in lines.items():
        found.setdefault(coins, frozenset(line))
    return [
        Term(coins, points)
        for coins, points in found.items()
        if not any(other < coins for other in found)
    ]


def exclusive(terms: Iterable[Term]) -> list[Term] | None:
    """Return terms whose sum mod 2 is 1 where any of the given ones holds; None if too many.

    Of two it is A + B + AB; terms that contradict themselves vanish, and so do equal ones.
    """
    found: dict[Coins, frozenset[int]] = {}
    for term in terms:
        more = [(term.coins, term.points)]
        for coins, points in found.items():
            if not any((coin, not side) in coins for coin, side in term.coins):
                more.append((coins | term.coins, points | term.points))
        for coins, points in more:
            if coins in found:
                del found[coins]
            else:
                found[coins] = points
        if len(found) > MOST_TERMS:
            return None
    return [Term(coins, points) for coins, points in found.items()]
