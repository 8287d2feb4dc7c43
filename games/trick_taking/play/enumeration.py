"""Exact distributions of trick-taking games, by enumerating deals and plays.

States that are reached in different ways are merged, so that the work grows with the number of
states and not with that of the paths. Weights are integers over one common denominator.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import comb, factorial, lcm, prod

from attrs import frozen

from compiler.errors import GameTooLargeError
from games.trick_taking.play.dealing import Dealing, deals_of
from games.trick_taking.play.positions import Moves, State
from games.trick_taking.rules.setup import Deal, LegalPlay, Play, Position, Setup, Step

MAX_STATES = 7_000_000
MAX_POSITIONS = 3_000_000


@frozen
class PathCount:
    """Ways in which a game can go, one for each deal and each sequence of legal plays.

    Args:
        total: number of paths.
        won: number of those with which the party wins.
    """

    total: int
    won: int


def step_distributions(
    game: Setup,
) -> Iterator[tuple[Step, dict[Position, Fraction]]]:
    """Yield the exact distribution over positions after every step.

    Keeping them all needs more memory than the states of one step, so the limit is lower.

    Raises:
        GameTooLargeError: before anything is enumerated.
    """
    require_enumerable(game, MAX_POSITIONS)
    moves = Moves(game)
    for step, weights, total in _evolve(game, moves, equal_plays=True):
        positions: Counter[Position] = Counter()
        for state, weight in weights.items():
            positions[moves.position(state)] += weight
        # Many positions share few weights.
        chances = {weight: Fraction(weight, total) for weight in set(positions.values())}
        yield step, {position: chances[weight] for position, weight in positions.items()}


def outcome_distribution(game: Setup) -> dict[int, Fraction]:
    """Return the exact distribution of outcomes.

    Raises:
        GameTooLargeError: before anything is enumerated.
    """
    weights, total = _final(game, equal_plays=True)
    return {outcome: Fraction(weight, total) for outcome, weight in weights.items()}


def path_count(game: Setup) -> PathCount:
    """Return the number of paths, and the number of won ones.

    Raises:
        GameTooLargeError: before anything is enumerated.
    """
    weights, _ = _final(game, equal_plays=False)
    won = sum(weight for outcome, weight in weights.items() if game.is_win(outcome))
    return PathCount(sum(weights.values()), won)


def require_enumerable(game: Setup, most: int = MAX_STATES) -> None:
    """Check that a game has at most `most` states in all steps together.

    Raises:
        GameTooLargeError: naming the possible numbers of deals and states.
    """
    if (states := most_states(game)) > most:
        raise GameTooLargeError(
            f"{game.name}: {deals_of(game).count():,} deals and up to {states:.3g} states are too "
            f"many to enumerate (at most {most:,}); make more cards known, or play fewer"
        )


def most_states(game: Setup) -> int:
    """Return an upper bound of the number of states in all steps together.

    After each step there are no more states than deals times plays made, and no more than ways
    to lay the cards that are in play on hands, table and stacks of whole tricks.
    """
    paths, states = deals_of(game).count(), 0
    tricks, table = 0, len(game.table)
    hands = list(game.hands)
    in_play = len(game.hand_cards) + table
    for step in game.steps():
        match step:
            case Deal():
                pass
            case Play() | LegalPlay():
                first = step.trick == 0 and table == 0
                paths *= 1 if first and game.first_card is not None else step.hand
                hands[(game.leader + table) % game.players] -= 1
                table += 1
            case _:
                tricks, table = tricks + 1, 0
        in_hands = factorial(in_play) // prod(map(factorial, hands))
        stacked = in_hands * _stacks(game.players, tricks) // factorial(game.players * tricks)
        leaders = game.players if game.winner_leads and tricks else 1
        states += min(paths, stacked * leaders)
    return states


def _stacks(players: int, tricks: int) -> int:
    """Return the number of ways to lay given cards on stacks of whole tricks."""
    ways = [1] + [0] * tricks
    for _ in range(players):
        ways = [
            sum(ways[n - mine] * comb(players * n, players * mine) for mine in range(n + 1))
            for n in range(tricks + 1)
        ]
    return ways[tricks]


def _final(game: Setup, *, equal_plays: bool) -> tuple[Counter[int], int]:
    moves = Moves(game)
    *_, (_, states, total) = _evolve(game, moves, equal_plays=equal_plays)
    outcomes: Counter[int] = Counter()
    for state, weight in states.items():
        outcomes[game.outcome(tuple(owner for owner, _ in moves.position(state)))] += weight
    return outcomes, total


def _evolve(
    game: Setup, moves: Moves, *, equal_plays: bool
) -> Iterator[tuple[Step, dict[State, int], int]]:
    """Yield the weights of all states after every step, and their sum.

    Args:
        game: the game.
        moves: its moves.
        equal_plays: the legal plays of a state share its weight; otherwise each gets all of it,
            so that weights count paths and their sum has no meaning.
    """
    require_enumerable(game)
    weights = dict.fromkeys(map(moves.start, Dealing(game).all()), 1)
    total = len(weights)
    opening = game.first_card
    for step in game.steps():
        following: Counter[State] = Counter()
        match step:
            case Deal():
                following.update(weights)
            case Play() | LegalPlay():
                share = lcm(*range(1, step.hand + 1)) if equal_plays else 1
                total *= share
                for state, weight in weights.items():
                    after = moves.plays(state)
                    if opening is not None:
                        after = moves.first_play(state, opening)
                    part = weight * share // len(after) if equal_plays else weight
                    for successor in after:
                        following[successor] += part
                opening = None
            case _:
                for state, weight in weights.items():
                    following[moves.take(state)] += weight
        weights = following
        yield step, weights, total
