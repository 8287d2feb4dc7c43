"""Decoding of a game's measured lists: the deal and the plays."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from compiler.errors import VerificationError
from games.trick_taking.encodings.card_codes import CardCodes
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.operators.lists import unpack
from games.trick_taking.play.replay import Replay, replay

Exchange = tuple[int, int]
"""Two places in the order of play that a bit of a trick says were swapped."""


EXCHANGES: Mapping[int, tuple[Exchange, ...]] = {2: ((0, 1),), 3: ((1, 2), (0, 1))}
"""Meaning of a trick's bits by number of players: the followers were swapped, and then the first
two. Cards change places in all exchanges but the last."""


@frozen
class PlayedGame:
    """A game as it was measured.

    Args:
        deal: owner of every card before the first open play.
        plays: cards in the order they were played, as places in the deck.
        swaps: for every trick, whether each of its exchanges took place.
        won: the bit that says whether the party has won; None where it was not measured.
        exchanges: the places of each.
    """

    deal: tuple[int, ...]
    plays: tuple[int, ...]
    swaps: tuple[tuple[bool, ...], ...]
    won: bool | None
    exchanges: tuple[Exchange, ...]


def played_game(
    game: TrickTakingGame,
    codes: CardCodes,
    measured: int,
    *,
    scored: bool,
    exchanges: tuple[Exchange, ...],
) -> PlayedGame:
    """Read the classical bits `hands`, `skat`, `tricks` and `win`, in this order.

    Args:
        game: the rules.
        codes: codes of the cards.
        measured: the bits.
        scored: whether `win` is among them.
        exchanges: the exchanges that a trick's bits stand for, such as `EXCHANGES`.

    Raises:
        VerificationError: if some code is no card of the deck, or a card comes twice.
    """
    slots = game.players * game.hand + game.skat
    cards = {code: card for card, code in enumerate(codes.codes)}
    held = [cards.get(code) for code in unpack(measured, slots, codes.width)]
    if None in held or len(set(held)) < slots:
        raise VerificationError("a measured code is no card of the deck, or a card comes twice")
    dealt_cards = [card for card in held if card is not None]
    places = [dealt_cards[p * game.hand : (p + 1) * game.hand] for p in range(game.players)]
    bits = measured >> slots * codes.width
    deal = [0 if owner is None else owner for owner in game.known]
    for card in dealt_cards[game.players * game.hand :]:
        deal[card] = game.players
    seats = [(game.leader + turn) % game.players for turn in range(game.players)]
    plays: list[int] = []
    swaps = []
    for slot in reversed(range(game.hand)):
        swapped = tuple(bool(bits >> i & 1) for i in range(game.players - 1))
        bits >>= game.players - 1
        swaps.append(swapped)
        order = _exchanged(seats, exchanges[:-1], swapped)
        played = {seat: places[p][slot] for p, seat in enumerate(order)}
        for seat, card in played.items():
            deal[card] = seat
        plays += [played[seat] for seat in _from(seats[0], game.players)]
        if game.winner_leads:
            seats = _exchanged(order, exchanges[-1:], swapped[-1:])
    won = bool(bits & 1) if scored else None
    return PlayedGame(tuple(deal), tuple(plays[len(game.table) :]), tuple(swaps), won, exchanges)


def _from(seat: int, players: int) -> list[int]:
    return [(seat + turn) % players for turn in range(players)]


def _exchanged(
    seats: Sequence[int], exchanges: Sequence[Exchange], swapped: Sequence[bool]
) -> list[int]:
    order = list(seats)
    for (first, other), took_place in zip(exchanges, swapped, strict=False):
        if took_place:
            order[first], order[other] = order[other], order[first]
    return order


def judged(game: TrickTakingGame, played: PlayedGame) -> Replay:
    """Return the replay of a game by the rules.

    Raises:
        VerificationError: naming the first illegal move, a trick whose winner contradicts the
            swaps, or a wrong `win` bit.
    """
    result = replay(game, played.deal, played.plays)
    seats = _from(game.leader, game.players)
    for number, (cards, winner, swapped) in enumerate(
        zip(result.tricks, result.winners, played.swaps, strict=True)
    ):
        order = _exchanged(seats, played.exchanges, swapped)
        if order[0] != winner:
            raise VerificationError(
                f"trick {number + 1}: {' '.join(str(game.deck[card]) for card in cards)} goes to "
                f"seat {winner}, not to seat {order[0]}"
            )
        if game.winner_leads:
            seats = order
    if played.won is not None and played.won != game.is_win(game.outcome(result.owners)):
        raise VerificationError(f"the win bit says {played.won}")
    return result
