"""Tables and picture of bidding advice."""

from typing import TYPE_CHECKING

from games.panels import Cell, Grid, Lines, Panel
from games.pictures import BLUE, GREY, draw_intervals, plain_axes
from games.trick_taking.advice.shares import MORE, sample_words
from games.trick_taking.skat.bidding.advice import Bidding, span
from games.trick_taking.skat.bidding.offers import Hand, Offer

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AWAY = "discard"
COLUMNS = ("contract", AWAY, "superposed", "open cards", "schneider", "value",
           "score", "up to")  # fmt: skip


def bid_panels(bidding: Bidding, more: str = MORE) -> list[Panel]:
    """Return the tables of the advice."""
    hand, bid, offers = bidding.hand, bidding.bid, bidding.ranked
    sample = sample_words(len(offers[0].samples))
    return [
        Lines("Bidding", bidding.messages(more)),
        Grid(f"Contracts, the best first, at a bid of {bid}, each {sample}; 95 % intervals",
             [name for name in COLUMNS if hand.skat or name != AWAY],
             [_row(hand, offer, bid) for offer in offers]),
        Lines("Legend", [
            "Open cards: all players see all cards and play perfectly. At a table they see less.",
            "Superposed: every player, also the declarer, plays a random legal card. In a null "
            "game this is almost always lost.",
            *([] if hand.skat else ["With the skat: the discard is the one that wins the most "
                                    "random games with the sampled skat."]),
            "Schneider: shares of deals in which the declarer makes the others schneider / schwarz "
            "with open cards.",
            "Score: Seeger-Fabian, from open cards, with schneider and schwarz; passing scores 0. "
            "Up to: the highest bid at which the whole interval is above 0. Announcements are "
            "listed if they score more.",
            "With open cards, ouvert costs nothing. At a table, closed games are won more often "
            "than shown, especially null games; ouvert games are not.",
        ]),
    ]  # fmt: skip


def _row(hand: Hand, offer: Offer, bid: int) -> list[Cell]:
    chance, score = offer.open_cards, offer.score(bid)
    low, high = offer.values
    limit, schneider = offer.highest_bid(), offer.schneider
    return [
        Cell(str(offer.contract)),
        *([Cell(" ".join(map(str, offer.away)))] if hand.skat else []),
        Cell("–" if offer.superposed is None else f"{offer.superposed:.3f}"),
        Cell(f"{float(chance.value):.2f} ({chance.low:.2f}–{chance.high:.2f})"),
        Cell("–" if schneider is None else f"{schneider:.2f}/{offer.schwarz:.2f}"),
        _value(low, high, bid),
        Cell(span(score), "good" if score.low > 0 else "plain"),
        Cell(str(limit) if limit else "–"),
    ]


def _value(low: int, high: int, bid: int) -> Cell:
    """Return the value of a won game, marked if it is less than the bid."""
    text = str(low) if low == high else f"{low}–{high}"
    if high < bid:
        return Cell(f"{text} overbid", "bad")
    return Cell(f"{text} may be overbid", "fair") if low < bid else Cell(text)


def draw_bid(bidding: Bidding, figure: "Figure") -> None:
    """Draw both chances of each contract, the best on top, and its expected score."""
    rows, bid = bidding.ranked, bidding.bid
    figure.set_size_inches(9.0, 1.6 + 0.38 * len(rows))
    chances, scores = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    places = range(len(rows))
    draw_intervals(chances, places, [offer.open_cards for offer in rows], label="open cards")
    random = [(offer.superposed, place) for place, offer in enumerate(rows)
              if offer.superposed is not None]  # fmt: skip
    chances.plot(*zip(*random, strict=True), "o", color=BLUE, label="superposed")
    chances.set_yticks(places, [str(offer.contract) for offer in rows])
    chances.set_ylim(len(rows) - 0.5, -0.5)
    chances.set_xlim(-0.02, 1.02)
    chances.set_xlabel("P(win), 95 % intervals")
    chances.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    draw_intervals(scores, places, [offer.score(bid) for offer in rows])
    scores.axvline(0, color=GREY, linestyle="--", linewidth=1)
    scores.set_xlabel(f"expected score at a bid of {bid}; 0: pass")
    plain_axes(chances, scores, along="x")
