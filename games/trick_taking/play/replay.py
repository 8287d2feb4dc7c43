"""Replay of a finished game, move by move: the judge of a circuit's games.

It shares only the rules with the enumeration of games.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import evolve, frozen
from scipy.special import bdtr, bdtrc, gammaincc

from compiler.errors import GameError, VerificationError
from games.trick_taking.play.enumeration import deals_of
from games.trick_taking.rules.setup import Setup


@frozen
class Played:
    """A game that is legal move by move.

    Args:
        deal: owner of every card before the first open play.
        plays: cards in the order they were played, as places in the deck.
        owners: final owner of every card; the skat stays with its owner.
        tricks: cards of every trick in play order, one already on the table included.
        winners: seat that took each of them.
    """

    deal: tuple[int, ...]
    plays: tuple[int, ...]
    owners: tuple[int, ...]
    tricks: tuple[tuple[int, ...], ...] = ()
    winners: tuple[int, ...] = ()


def replay(game: Setup, deal: Sequence[int], plays: Sequence[int]) -> Played:
    """Go through a game.

    Args:
        game: the rules, and the known facts.
        deal: owner of every card before the first open play; a card on the table belongs to
            the seat that played it, one on a stack to the seat that took it.
        plays: the cards played, in order, as places in the deck.

    Raises:
        VerificationError: if the deal contradicts the known facts, or naming the first illegal
            move.
    """
    _check_deal(game, deal)
    owners = list(deal)
    tricks, winners = [], []
    for number, seat, hand, table, card in _moves(game, deal, plays):
        move = f"play {number + 1}: seat {seat} plays {_name(game, card)}"
        if card not in hand:
            raise VerificationError(f"{move}, which is not in its hand")
        if card not in game.legal(hand, table[0] if table else None):
            raise VerificationError(f"{move} and does not follow {_name(game, table[0])}")
        if number == 0 and game.first_card not in (None, card):
            raise VerificationError(f"{move}, not the first card of the game")
        trick = (*table, card)
        if len(trick) == game.players:
            winner = (seat + 1 + game.winner(trick)) % game.players
            for taken in trick:
                owners[taken] = winner
            tricks.append(trick)
            winners.append(winner)
    if len(plays) < sum(game.hands[: game.players]):
        raise VerificationError(f"play {len(plays) + 1}: the game ends before all cards are played")
    return Played(tuple(deal), tuple(plays), tuple(owners), tuple(tricks), tuple(winners))


def _moves(
    game: Setup, deal: Sequence[int], plays: Sequence[int]
) -> Iterator[tuple[int, int, list[int], list[int], int]]:
    """Yield of each play its number, seat, hand and table before it, and card."""
    hands = [[c for c in game.hand_cards if deal[c] == seat] for seat in range(game.players)]
    leader, table = game.leader, list(game.table)
    for number, card in enumerate(plays):
        seat = (leader + len(table)) % game.players
        yield number, seat, hands[seat], table, card
        hands[seat].remove(card)
        table.append(card)
        if len(table) == game.players:
            winner = (leader + game.winner(table)) % game.players
            leader, table = (winner if game.winner_leads else 0), []


def _check_deal(game: Setup, deal: Sequence[int]) -> None:
    if len(deal) != len(game.deck) or not set(deal) <= set(range(len(game.hands))):
        raise VerificationError(f"deal {tuple(deal)}: give every card one of the owners")
    for card, owner in enumerate(game.known):
        if owner not in (None, deal[card]):
            raise VerificationError(f"deal: {_name(game, card)} belongs to owner {owner}")
    for owner, size in enumerate(game.hands):
        held = sum(deal[card] == owner for card in game.hand_cards)
        if held != size:
            raise VerificationError(f"deal: owner {owner} has {held} cards, not {size}")
    for owner, name, count in game.class_counts:
        cards = [card for card in game.hand_cards if deal[card] == owner]
        held = sum(game.card_classes[card] == name for card in cards)
        if held != count:
            raise VerificationError(f"deal: owner {owner} has {held} cards of {name}, not {count}")


def _name(game: Setup, card: int) -> str:
    return str(game.deck[card]) if 0 <= card < len(game.deck) else f"card {card}"


MIN_P_VALUE = 1e-6
"""Significance level: chance alone falls below it once in a million times."""


@frozen
class SampledFigures:
    """Statistics of the single games of a circuit; all of them were legal to the last move.

    Args:
        games: number of games.
        choices: number of plays with two or more legal cards.
        p_value_plays: probability that games whose plays are uniform among the legal cards
            deviate as much, by chi-square.
        p_value_deals: probability of as large a deviation of the unknown cards' owners in uniform
            deals, by the binomial distribution of the most unlikely pair of card and owner.
    """

    games: int
    choices: int
    p_value_plays: float
    p_value_deals: float

    @property
    def text(self) -> str:
        """One line for people."""
        return (
            f"{self.games} games legal move by move; {self.choices} choices "
            f"uniform with p = {self.p_value_plays:.2g}, deals with p = {self.p_value_deals:.2g}"
        )


def examine(game: Setup, runs: Iterable[Played]) -> SampledFigures:
    """Check that a circuit plays by the rules, and without preferring a deal or a card.

    Args:
        game: the rules.
        runs: the games that it has played, each of them legal.

    Raises:
        VerificationError: naming a preference that is no accident.
    """
    played = list(runs)
    ranks = [rank for run in played for rank in chosen_ranks(game, run)]
    figures = SampledFigures(
        len(played), len(ranks), uniformity(ranks), _deal_p_value(game, played)
    )
    if min(figures.p_value_plays, figures.p_value_deals) < MIN_P_VALUE:
        raise VerificationError(f"not by accident: {figures.text}")
    return figures


def chosen_ranks(game: Setup, played: Played) -> Iterator[tuple[int, int]]:
    """Yield the rank of every played card among the legal ones, and the number of legal ones.

    Plays without a choice are left out. Ranks are places in the order of the deck, 0 the first.
    """
    for number, _, hand, table, card in _moves(game, played.deal, played.plays):
        legal = game.legal(hand, table[0] if table else None)
        if len(legal) > 1 and not (number == 0 and game.first_card is not None):
            yield legal.index(card), len(legal)


def uniformity(ranks: Iterable[tuple[int, int]]) -> float:
    """Return the p-value of the chi-square test that ranks are uniform.

    Args:
        ranks: pairs (rank from 0, number of possible ranks); each number of possible ranks is a
            distribution of its own.
    """
    counts = Counter(ranks)
    statistic, freedom = 0.0, 0
    for possible in {possible for _, possible in counts}:
        observed = [counts[rank, possible] for rank in range(possible)]
        expected = sum(observed) / possible
        statistic += sum((n - expected) ** 2 for n in observed) / expected
        freedom += possible - 1
    return float(gammaincc(freedom / 2, statistic / 2)) if freedom else 1.0


def owner_probabilities(game: Setup) -> Mapping[tuple[int, int], float]:
    """Return the probability that an unknown card is dealt to an owner, by card and owner."""
    return {
        (card, owner): _deals_with(game, card, owner) / deals_of(game).count()
        for card, seat in enumerate(game.known)
        if seat is None
        for owner in range(len(game.hands))
    }


def _deals_with(game: Setup, card: int, owner: int) -> int:
    owners = (*game.known[:card], owner, *game.known[card + 1 :])
    try:
        return deals_of(evolve(game, known=owners)).count()
    except GameError:
        return 0


def _deal_p_value(game: Setup, played: list[Played]) -> float:
    """Return the Bonferroni-corrected p-value of the most unlikely count of a card's owner."""
    counts = Counter((card, owner) for run in played for card, owner in enumerate(run.deal))
    tails = [
        2 * min(float(bdtr(n, len(played), p)), float(bdtrc(n - 1, len(played), p)) if n else 1.0)
        for pair, p in owner_probabilities(game).items()
        if 0 < p < 1
        for n in [counts[pair]]
    ]
    return min(1.0, len(tails) * min(tails, default=1.0))
