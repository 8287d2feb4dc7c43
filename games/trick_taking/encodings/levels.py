"""Levels of a game: won or lost, schneider, schwarz, and the game value by level."""

from attrs import frozen

from games.trick_taking.rules.rules import NULL
from games.trick_taking.rules.setup import Setup
from games.trick_taking.skat.values import BASE_VALUES, NULL_VALUES

MATADORS = 1
"""Assumed number of matadors: an outcome does not record their first owner."""


@frozen
class Levels:
    """Levels by which a game is counted.

    A game is schneider if one side has half of the points that win or fewer, h = ⌊threshold/2⌋, or
    three times as many or more, as are 30 and 90 of 61 or of 60. It is schwarz if one side takes no
    trick; points from before the game count as a trick. A null has neither.

    Args:
        game: the rules.
    """

    game: Setup

    @property
    def half(self) -> int:
        """Points with which the party is schneider; with three times as many the others are."""
        return self.game.threshold // 2

    @property
    def counted(self) -> bool:
        """Return whether there are levels at all."""
        return self.game.rules.contract != NULL

    @property
    def _sides_before(self) -> frozenset[bool]:
        """For each side that has taken a trick before the game, whether it is the party."""
        game = self.game
        sides = {seat in game.party for seat, cards in game.taken if cards}
        if game.base_points > 0:
            sides.add(True)
        if 2 * (game.threshold - 1) > game.base_points + sum(game.points_of):
            sides.add(False)
        return frozenset(sides)

    @property
    def first_side(self) -> bool | None:
        """Return whether the party took all earlier tricks; None if there were none."""
        before = self._sides_before
        return next(iter(before)) if len(before) == 1 else None

    @property
    def may_be_schneider(self) -> bool:
        """Return whether the points leave open if it is schneider."""
        least, most = self.game.points_range
        possible = least <= self.half or most >= 3 * self.half
        certain = most <= self.half or least >= 3 * self.half
        return self.counted and possible and not certain

    @property
    def may_be_schwarz(self) -> bool:
        """Return whether it is open if one side takes no trick."""
        tricks = self.game.hand + len(self._sides_before)
        return self.counted and len(self._sides_before) < 2 <= tricks

    def schneider(self, outcome: int) -> bool:
        """Return whether one side is schneider."""
        points = self.game.points(outcome)
        return self.counted and not self.half < points < 3 * self.half

    def schwarz(self, outcome: int) -> bool:
        """Return whether one side has no trick."""
        if not self.counted:
            return False
        game, skat = self.game, self.game.players
        sides = {owner in game.party for owner in game.owners(outcome) if owner != skat}
        return len(sides | self._sides_before) == 1

    def value(self, outcome: int) -> int:
        """Return the game value for the declarer, doubled and negative if the game is lost.

        It is base value × (matador + 1 + a step each for schneider and schwarz), for a game
        without a higher bid and without announcements. The base value is 1 in paper rules. The
        declarer is the smaller side, or the party.
        """
        game = self.game
        defends = 2 * len(game.party) > game.players
        won = game.is_win(outcome) != defends
        value = self._value(self.schneider(outcome) + self.schwarz(outcome))
        return value if won else -2 * value

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the largest value that a game may count."""
        most = self._value(2)
        return -2 * most, most

    def _value(self, levels: int) -> int:
        if not self.counted:
            return NULL_VALUES[False, False]
        return BASE_VALUES.get(self.game.rules.contract or "", 1) * (MATADORS + 1 + levels)
