"""Value of a game of Skat for its declarer, by level: the classic value."""

from collections.abc import Sequence

from attrs import evolve, frozen

from compiler.errors import GameError
from games.trick_taking.advice.compiled.layout import Numbers, bit_order, layout_of
from games.trick_taking.advice.compiled.open_deals import ALL_TRICK_CARDS, Goals
from games.trick_taking.play.positions import turn_of
from games.trick_taking.rules.rules import NULL, POINTS, Card
from games.trick_taking.rules.setup import Setup
from games.trick_taking.skat.values import (
    LEVELS,
    NEEDED,
    Contract,
    matadors,
    outcome_of,
    settled,
    trumps,
)

SEATS, CARDS, SKAT = 3, 32, 2


@frozen
class Stakes:
    """The stakes of a game.

    Args:
        contract: contract of the declarer.
        bid: the declarer's highest bid.
        played: the declarer's cards that were played already, in earlier tricks or in this one.
        matadors: number as in `values.matadors`; None to count them in each deal.
    """

    contract: Contract
    bid: int
    played: tuple[Card, ...] = ()
    matadors: int | None = None

    def values(self, tops: int) -> tuple[int, ...]:
        """Return the game value for the declarer, by level.

        Args:
            tops: the matadors; ignored for a null.
        """
        return tuple(
            settled(self.contract, tops, outcome_of(self.contract, level), self.bid).value
            for level in range(LEVELS)
        )


def stakes_of(game: Setup, contract: Contract | None, bid: int, tops: int) -> Stakes | str:
    """Return the stakes of a game that is no record.

    Args:
        game: the position.
        contract: the announced contract; None for the game's own, without announcements.
        bid: the declarer's highest bid.
        tops: the matadors; 0 if unknown.

    Raises:
        GameError: if the contract is that of another game, there are not so many matadors, or the
            known skat of the declarer to move contradicts the contract.
    """
    own = game.rules.contract
    if own is None:
        return 'paper rules know no contract; a game file says one with rules = "skat"'
    if contract is not None and contract.game != own:
        raise GameError(f"contract {contract}: {game.name} plays {Contract(own)}")
    if reason := _no_skat(game, own):
        return reason
    if turn_of(game) in game.party:
        contract = _with_skat(game, contract or Contract(own, hand=not _skat_known(game)))
    if own != NULL and abs(tops) > len(trumps(own)):
        raise GameError(f"matadors = {tops}: {Contract(own)} has {len(trumps(own))} trumps")
    if own != NULL and game.taken and not tops:
        return "cards in earlier tricks do not tell who played them; say the declarer's matadors"
    on_table = [
        game.deck[card]
        for turn, card in enumerate(game.table)
        if (game.leader + turn) % SEATS in game.party
    ]
    return Stakes(contract or Contract(own), bid, tuple(on_table), tops or None)


def _skat_known(game: Setup) -> int:
    """Return the number of known cards of the skat."""
    return game.known.count(game.players)


def _with_skat(game: Setup, contract: Contract) -> Contract:
    """Return a declarer's contract if it fits the known skat.

    Raises:
        GameError: if a declarer who picked up the skat does not know both cards, or a declarer
            who plays from the hand knows them.
    """
    cards = _skat_known(game)
    if cards not in (0, SKAT):
        raise GameError(
            f"{game.name}: {cards} of {SKAT} cards in the skat are known; a declarer knows both, "
            "or none in a game from the hand"
        )
    if contract.hand and cards:
        raise GameError(
            f"contract {contract}: a declarer who plays from the hand does not know the skat; "
            "leave out skat = […] under [known]"
        )
    if not contract.hand and not cards:
        raise GameError(
            f"contract {contract}: a declarer who picked up the skat knows both cards; name the "
            "discarded cards under [known], as skat = […], or add 'hand' to the contract"
        )
    return contract


def _no_skat(game: Setup, contract: str) -> str:
    """Return the missing property of a game of Skat; empty if the game is one."""
    if game.players != SEATS or len(game.deck) != CARDS or game.skat != SKAT:
        return (
            "it needs three seats, two cards in the skat, and all 32 cards in the deck, with "
            "earlier tricks under [taken]"
        )
    if len(game.party) != 1:
        return "a game has one declarer; name that seat alone as the party"
    if contract == NULL:
        return ""
    if game.skat_to not in game.party or game.base_points:
        return "the skat's points are the declarer's; name that seat in skat_to, no base_points"
    if any(POINTS[card.rank] != own for card, own in zip(game.deck, game.points_of, strict=True)):
        return "its cards have other points than those of Skat"
    return ""


def goals_of(game: Setup) -> Goals:
    """Return a position of Skat, no null, as its levels are found."""
    return Goals(
        layout_of(
            evolve(
                game,
                points_of=tuple(POINTS[card.rank] for card in game.deck),
                threshold=NEEDED,
                skat_to=game.party[0],
            )
        ),
        layout_of(evolve(game, points_of=(1,) * CARDS, threshold=ALL_TRICK_CARDS, skat_to=None)),
    )


def tops_of(game: Setup, stakes: Stakes, deals: Numbers) -> list[int]:
    """Return the declarer's matadors in each deal, the skat's cards counted; 0 in a null.

    Args:
        game: the position.
        stakes: the stakes.
        deals: shape (deals, owners), the cards of each owner.
    """
    if stakes.contract.game == NULL or stakes.matadors is not None:
        return [stakes.matadors or 0] * len(deals)
    order, (declarer,) = bit_order(game), game.party
    tops = trumps(stakes.contract.game)
    bits = [(card, bit) for bit, place in enumerate(order) if (card := game.deck[place]) in tops]

    def twelve(held: int) -> Sequence[Card]:
        return [*stakes.played, *(card for card, bit in bits if held >> bit & 1)]

    return [
        matadors(twelve(int(hands[declarer] | hands[SEATS])), stakes.contract.game)
        for hands in deals
    ]
