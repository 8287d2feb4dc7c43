"""Best play with open cards: the classical solver that quantum card games are compared with."""

from collections.abc import Callable, Sequence
from functools import cache
from math import comb

from compiler.errors import GameError, GameTooLargeError
from games.trick_taking.play.dealing import Dealing, deals_of
from games.trick_taking.play.positions import Moves, State
from games.trick_taking.rules.rules import NULL
from games.trick_taking.rules.setup import Setup

MAX_POSITIONS = 1_000_000

Remaining = tuple[int, tuple[int, ...], tuple[int, ...]]
"""Leader, table and hands: all that the rest of a game depends on."""


def best_points(game: Setup, deal: Sequence[int], first_card: int | None = None) -> int:
    """Return the party's points when all seats see all cards and play at their best.

    Seats of the party maximise, the others minimise. In a null game points are of no interest:
    the result is then minus the number of tricks that the party takes, 0 if it wins.

    Args:
        game: the rules, the party and its points so far.
        deal: owner of every card before the first open play.
        first_card: the card that is led; by default the game's `first_card`, and the best one
            if it has none.

    Raises:
        GameTooLargeError: if there are too many positions.
        GameError: if the first card cannot be led.
    """
    _require_solvable(game, deals=1)
    return _solver(game, game.first_card if first_card is None else first_card)(deal)


def distributions_won(game: Setup, first_card: int | None = None) -> int:
    """Return in how many of the consistent deals the party wins with best play.

    Args:
        game: the game; `deals_of(game).count()` is the number of consistent deals.
        first_card: as in `best_points`.

    Raises:
        GameTooLargeError: if there are too many deals and positions.
        GameError: if the first card cannot be led.
    """
    _require_solvable(game, deals=deals_of(game).count())
    solve = _solver(game, game.first_card if first_card is None else first_card)
    needed = 0 if game.rules.contract == NULL else game.threshold
    return sum(solve(deal) >= needed for deal in Dealing(game).all())


def _require_solvable(game: Setup, deals: int) -> None:
    positions = deals * sum(
        comb(game.hand, tricks) ** game.players * (game.hand - tricks) ** (game.players - 1)
        for tricks in range(game.hand)
    )
    if positions > MAX_POSITIONS:
        raise GameTooLargeError(
            f"{game.name}: {deals:,} deals with up to {positions / deals:.3g} positions each are "
            f"too many to solve (at most {MAX_POSITIONS:,} together)"
        )


def _solver(game: Setup, first_card: int | None) -> Callable[[Sequence[int]], int]:
    moves = Moves(game)
    nobody = (0,) * game.players

    def worth(cards: Sequence[int], winner: int) -> int:
        if winner not in game.party:
            return 0
        return -1 if game.rules.contract == NULL else sum(game.points_of[card] for card in cards)

    @cache
    def value(rest: Remaining) -> int:
        state = State(*rest, nobody)
        if len(state.table) == game.players:
            winner = (state.leader + game.winner(state.table)) % game.players
            return worth(state.table, winner) + value(moves.take(state)[:3])
        if not any(state.hands[: game.players]):
            return 0
        best = max if moves.seat(state) in game.party else min
        return best(value(after[:3]) for after in moves.plays(state))

    def solve(deal: Sequence[int]) -> int:
        start = moves.start(deal)
        if game.rules.contract == NULL:
            so_far = -sum(len(cards) // game.players for s, cards in game.taken if s in game.party)
        else:
            so_far = game.points_before(deal)
        if first_card is None:
            return so_far + value(start[:3])
        for after in moves.first_play(start, first_card):
            return so_far + value(after[:3])
        raise GameError(f"first card {game.deck[first_card]}: its leader does not hold it")

    return solve
