"""The command `skat bid`: up to which number to go with a hand, and with which contract."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from attrs import frozen

from compiler.errors import GameError
from compiler.scores.intervals import Interval
from compiler.words.plurals import how_many
from games.commands import Answer, Asked, Means
from games.playing.panels import Cell, Grid, Lines, Panel
from games.trick_taking.advice.shares import NOT_ENOUGH
from games.trick_taking.rules.rules import NULL
from games.trick_taking.skat.bidding.hand import Hand
from games.trick_taking.skat.bidding.offers import Offer, best, worth_telling
from games.trick_taking.skat.levels import WON_SCHNEIDER, WON_SCHWARZ
from games.trick_taking.skat.values import BIDS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_SECONDS = 3_600
MOST_SEED = 2**31 - 1
MOST_DEALS = 5_000
PLAYOUTS = 500
"""Random games for each skat and contract."""
AWAY = "lay away"
COLUMNS = ("contract", AWAY, "superposed", "open cards", "schneider", "value",
           "score", "up to")  # fmt: skip
BLUE, ORANGE = "#0072B2", "#D55E00"


def bid(
    *,
    hand: Annotated[str, Asked("Your ten cards, such as 'CJ SJ CA C10 …'.", "CARDS")],
    skat: Annotated[str, Asked("The skat's two cards, once you have taken it.", "CARDS")] = "",
    place: Annotated[
        int, Asked("1 if you lead first, 2 or 3 if you play second or third.", least=1, most=3)
    ] = 1,
    bid: Annotated[int, Asked("Up to which you went; for the scores.", least=18, most=264)] = 18,
    deals: Annotated[int, Asked("Deals solved for each contract.", least=1, most=MOST_DEALS)] = 500,
    seconds: Annotated[
        int,
        Asked(
            "Of processor time, of each processor, after which nothing further is begun.",
            least=1,
            most=MOST_SECONDS,
        ),
    ] = 20,
    seed: Annotated[int, Asked("Of all that is random.", least=0, most=MOST_SEED)] = 0,
    means: Means,
) -> Answer:
    """Tell up to which number a hand of Skat is worth bidding, and with which contract.

    Skats and the others' hands are drawn. Before you take the skat, each contract is tried with
    it and from the hand; once you have taken it, all 66 discards are. Schneider and schwarz count
    as they fall, and are announced, or the game played ouvert, where that is expected to pay.

    Examples:
    - `stichwerk skat bid --hand "CJ HJ CA C10 CQ C8 SA S10 HA D7"`

    - `stichwerk skat bid --hand "CJ HJ CA C10 CQ C8 SA S10 HA D7" --skat "C7 DK" --bid 20`
    """
    held = Hand.parse(hand, skat)
    if bid not in BIDS:
        raise GameError(f"bid {bid}: must be the value of a game, such as 18, 20, 22, 23, 24")
    # Numba takes half a second to load, which nobody waits for who only asks what a game is worth.
    from games.trick_taking.advice.effort import Effort
    from games.trick_taking.skat.bidding.sampling import Bidder

    effort = Effort(PLAYOUTS, deals, float(seconds), seed, means.processors, means.clock)
    offers = worth_telling(Bidder(held, place - 1, effort, means.say).offers(), bid)
    return Answer(
        _panels(held, offers, bid),
        _document(held, place, offers, bid, seed),
        lambda figure: _draw(figure, offers, bid),
    )


def _ranked(offers: Sequence[Offer], bid: int) -> list[Offer]:
    return sorted(offers, key=lambda offer: offer.score(bid).value, reverse=True)


@frozen
class Advice:
    """Recommendation that samples support.

    Args:
        supported: whether they are enough to recommend anything.
        highest_bid: up to which to bid before the skat is taken; 0 to pass, and where samples are
            not enough.
        offer: the contract to play, or to have in mind; the one that leads if there is none.
        plays: whether any is to be played.
    """

    supported: bool
    highest_bid: int
    offer: Offer
    plays: bool


def advised(hand: Hand, offers: Sequence[Offer], bid: int) -> Advice:
    """Return what the intervals of the contracts' scores tell to do.

    A bid is recommended if a contract's score is certain to be above 0 at it, and passing if that
    of no contract can be. Once the skat is taken, a contract is recommended whose score is certain
    to be above that of each other game.
    """
    first, limit = best(offers, bid), max(offer.highest_bid() for offer in offers)
    if hand.skat:
        games = {offer.contract.game: offer for offer in reversed(_ranked(offers, bid))}
        others = [offer for game, offer in games.items() if game != first.contract.game]
        return Advice(all(first.ahead(other, bid) for other in others), limit, first, plays=True)
    if limit:
        return Advice(True, limit, best(offers, limit), plays=True)
    passes = all(offer.score(BIDS[0]).high <= 0 for offer in offers)
    return Advice(passes, 0, first, plays=False)


def _advice(hand: Hand, offers: Sequence[Offer], bid: int) -> list[str]:
    told, first = advised(hand, offers, bid), best(offers, bid)
    score = first.score(bid)
    expected = f"expected score {_span(score)} at a bid of {bid}"
    more = "More --seconds or --deals tell more."
    if hand.skat:
        away = " ".join(map(str, first.away))
        if not told.supported:
            return [
                f"{NOT_ENOUGH}: no contract stands out.",
                f"{first.contract} leads, with {away} laid away: {expected}.",
                more,
            ]
        loss = ["No contract is expected to pay."] if score.high <= 0 else []
        return [f"Play {first.contract}, lay {away} away: {expected}.", *loss]
    if not told.supported:
        return [
            f"{NOT_ENOUGH}: neither a bid nor passing, which brings 0, stands out.",
            f"{first.contract} leads: {expected}.",
            more,
        ]
    if not told.highest_bid:
        return [f"Pass. The least loss is {first.contract}: {expected}."]
    there = told.offer.score(told.highest_bid)
    return [
        f"Bid up to {told.highest_bid}, with {told.offer.contract} in mind: expected score "
        f"{_span(there)} there, 0 for passing.",
        f"Now that would be {first.contract}: {expected}.",
    ]


def _panels(hand: Hand, offers: Sequence[Offer], bid: int) -> list[Panel]:
    deals = len(offers[0].samples)
    number = how_many(deals, "deal")
    return [
        Lines("Bidding", _advice(hand, offers, bid)),
        Grid(f"Contracts, the best first, at a bid of {bid}; 95 % intervals",
             [name for name in COLUMNS if hand.skat or name != AWAY],
             [_row(hand, offer, bid) for offer in _ranked(offers, bid)]),
        Lines("What that means", [
            f"Open cards: all see all cards and play at their best; {number} of each "
            "contract. At a table nobody sees that much.",
            "Superposed: everybody plays any legal card; opponents like that are no players, and "
            "neither is such a declarer, least of all in a null.",
            *([] if hand.skat else ["Not from the hand: what is laid away is what wins most random "
                                    "games with the skat that was drawn."]),
            "Schneider: how often the declarer makes the others schneider / schwarz with open "
            "cards.",
            "Score: Seeger and Fabian's, from open cards, schneider and schwarz as they fall; 0 is "
            "what passing brings. Up to: the highest bid with which all of the interval is above "
            "0. Announcements are listed where they bring more.",
            "With open cards ouvert costs nothing. At a table closed games, nulls above all, are "
            "won more often than told, ouvert ones hardly.",
        ]),
    ]  # fmt: skip


def _span(score: Interval) -> str:
    return f"{score.value:.0f} ({score.low:.0f} to {score.high:.0f})"


def _row(hand: Hand, offer: Offer, bid: int) -> list[Cell]:
    chance, score = offer.open_cards, offer.score(bid)
    low, high = offer.values
    limit = offer.highest_bid()
    return [
        Cell(str(offer.contract)),
        *([Cell(" ".join(map(str, offer.away)))] if hand.skat else []),
        Cell("–" if offer.superposed is None else f"{offer.superposed:.3f}"),
        Cell(f"{float(chance.value):.2f} ({chance.low:.2f}–{chance.high:.2f})"),
        Cell(_schneider(offer)),
        _value(low, high, bid),
        Cell(_span(score), "good" if score.low > 0 else "plain"),
        Cell(str(limit) if limit else "–"),
    ]


def _value(low: int, high: int, bid: int) -> Cell:
    """Return what a game counts if it is won, and whether that is less than was bid."""
    told = str(low) if low == high else f"{low}–{high}"
    if high < bid:
        return Cell(f"{told} overbid", "bad")
    return Cell(f"{told} may be overbid", "fair") if low < bid else Cell(told)


def _schneider(offer: Offer) -> str:
    """Return how often the declarer makes the others schneider, and schwarz."""
    if offer.contract.game == NULL:
        return "–"
    both = (offer.reach(level).value for level in (WON_SCHNEIDER, WON_SCHWARZ))
    return "/".join(f"{float(share):.2f}" for share in both)


def _document(
    hand: Hand, place: int, offers: Sequence[Offer], bid: int, seed: int
) -> dict[str, Any]:
    told = advised(hand, offers, bid)
    return {
        "hand": list(map(str, hand.cards)),
        "skat": list(map(str, hand.skat)),
        "place": place,
        "bid": bid,
        "seed": seed,
        "deals": len(offers[0].samples),
        "supported": told.supported,
        "said": _advice(hand, offers, bid),
        "recommended": str(told.offer.contract) if told.supported and told.plays else None,
        "highest_bid": told.highest_bid or None,
        "contracts": [_offered(offer, bid) for offer in _ranked(offers, bid)],
    }


def _offered(offer: Offer, bid: int) -> dict[str, Any]:
    chance, score = offer.open_cards, offer.score(bid)
    low, high = offer.values
    null = offer.contract.game == NULL
    return {
        "contract": str(offer.contract),
        "away": list(map(str, offer.away)),
        "superposed": offer.superposed,
        "open_cards": {"p_win": float(chance.value), "low": chance.low, "high": chance.high,
                       "deals": len(offer.samples)},
        "schneider": None if null else float(offer.reach(WON_SCHNEIDER).value),
        "schwarz": None if null else float(offer.reach(WON_SCHWARZ).value),
        "least_value": low,
        "largest_value": high,
        "score": {"value": score.value, "low": score.low, "high": score.high},
        "highest_bid": offer.highest_bid() or None,
    }  # fmt: skip


def _draw(figure: "Figure", offers: Sequence[Offer], bid: int) -> None:
    """Draw both chances of each contract, the best on top, and its expected score."""
    rows = _ranked(offers, bid)
    figure.set_size_inches(9.0, 1.6 + 0.38 * len(rows))
    chances, scores = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    places = range(len(rows))
    opened = [offer.open_cards for offer in rows]
    values = [float(one.value) for one in opened]
    errors = ([value - one.low for value, one in zip(values, opened, strict=True)],
              [one.high - value for value, one in zip(values, opened, strict=True)])  # fmt: skip
    chances.errorbar(values, places, xerr=errors, fmt="s", color=ORANGE, label="open cards")
    random = [(offer.superposed, place) for place, offer in enumerate(rows)
              if offer.superposed is not None]  # fmt: skip
    chances.plot(*zip(*random, strict=True), "o", color=BLUE, label="superposed")
    chances.set_yticks(places, [str(offer.contract) for offer in rows])
    chances.set_ylim(len(rows) - 0.5, -0.5)
    chances.set_xlim(-0.02, 1.02)
    chances.set_xlabel("P(win), 95 % intervals")
    chances.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    told = [offer.score(bid) for offer in rows]
    widths = ([score.value - score.low for score in told],
              [score.high - score.value for score in told])  # fmt: skip
    scores.errorbar([score.value for score in told], places, xerr=widths, fmt="s", color=ORANGE)
    scores.axvline(0, color="#6b6b6b", linestyle="--", linewidth=1)
    scores.set_xlabel(f"expected score at a bid of {bid}; 0: pass")
    for axes in (chances, scores):
        axes.grid(axis="x", color="#dddddd")
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
