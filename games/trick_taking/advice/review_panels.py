"""Tables and picture of a review: a line for each card, and the costs of each seat."""

from typing import TYPE_CHECKING

from games.panels import Cell, Grid, Lines, Panel
from games.pictures import BLUE, GREY, ORANGE, plain_axes
from games.trick_taking.advice.panels import unit_of
from games.trick_taking.advice.review import Choice, Move, Review, Total
from games.trick_taking.rules.setup import seat_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = ("card", "seat", "played", "open cards", "superposed", "deals", "P(win)",
           "best", "cost", "points", "value")  # fmt: skip
UNSAID = "–"


def review_panels(review: Review) -> list[Panel]:
    """Return the tables of a review."""
    record, moves, seconds = review.record, review.moves, review.effort.seconds
    return [
        Lines(f"Game {record.number}: {record.contract}, bid {record.bid}",
              [_sentence(total) for total in review.totals]),
        Grid("Every card and its cost for its side", COLUMNS, [_row(move) for move in moves]),
        Lines("Legend", [
            "Open cards, superposed: the card that each advises from the player's knowledge; – "
            "where only one card was legal.",
            "P(win) and best: the share of deals that the side whose turn it is wins with the card "
            "that was played, and with the advised one, with open cards. Cost: how much less.",
            "Points and value: how much less for that side, below 0 if the card that was played "
            "brings more; points up to six cards in hand, not in a null, and where every trick is "
            "needed the cards of tricks instead.",
            f"Each card is looked at for at most {seconds:g} s. In a sample the advised card is "
            "also the one that was lucky there, so small costs may be none: * if a sign test in "
            "the same deals, or all deals, tell the two cards apart.",
        ]),
    ]  # fmt: skip


def _sentence(total: Total) -> str:
    role = "the declarer" if total.declares else "against"
    return (
        f"{seat_name(total.seat)}, {role}: {total.as_advised} of {total.choices} choices as "
        f"advised; gave away {total.chance:.2f} of won deals and {total.value:.1f} of game value."
    )


def _row(move: Move) -> list[Cell]:
    position, choice = move.position, move.choice
    who = seat_name(move.seat) + (" declarer" if move.by_declarer else "")
    texts = [str(position.move), who, str(position.played)]
    if choice is None:
        return [Cell(text, "faint") for text in (*texts, *[UNSAID] * 8)]
    shares, clear = choice.advice.open_play.shares, choice.significant
    unit = f" {unit_of(position.game)}" if position.game.counts_cards else ""
    costs = [
        f"{choice.chance_cost:.3f}{'*' if clear else ''}",
        UNSAID if choice.points_cost is None else f"{choice.points_cost:.1f}{unit}",
        UNSAID if choice.value_cost is None else f"{choice.value_cost:.1f}",
    ]
    texts += [
        _name(choice, choice.advised),
        _name(choice, choice.advice.by_superposition[0]),
        f"all {shares.deals}" if shares.complete else str(shares.deals),
        f"{float(shares.estimate(choice.played).value):.3f}",
        f"{float(shares.estimate(choice.advised).value):.3f}",
        *costs,
    ]
    tone = "good" if choice.played == choice.advised else "bad" if clear else "plain"
    return [Cell(text, tone) for text in texts]


def _name(choice: Choice, place: int) -> str:
    return str(choice.advice.game.deck[choice.advice.cards[place]])


def review_picture(review: Review, figure: "Figure") -> None:
    """Draw both cards' chances, as the player saw them, over the game value that was lost."""
    record, moves = review.record, review.moves
    figure.set_size_inches(9.0, 5.6)
    chances, costs = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    for declares, colour, side in ((True, ORANGE, "the declarer"), (False, BLUE, "the others")):
        own = [each.choice for each in moves if each.choice and each.by_declarer == declares]
        places = [choice.position.move for choice in own]
        best = [_declarer_wins(choice, choice.advised) for choice in own]
        played = [_declarer_wins(choice, choice.played) for choice in own]
        chances.vlines(places, best, played, colors=colour, linewidth=2)
        chances.plot(places, best, "o", mfc="white", color=colour, label=f"{side}: advised")
        chances.plot(places, played, "o", color=colour, markersize=4, label=f"{side}: played")
        costs.bar(places, [choice.value_cost or 0.0 for choice in own], color=colour)
    for move in moves:
        costs.annotate(
            str(move.position.played), (move.position.move, 0), (0, -3), rotation=90,
            textcoords="offset points", ha="center", va="top", fontsize=7,
            color=GREY if move.choice is None else "black",
        )  # fmt: skip
    chances.set_ylim(-0.04, 1.04)
    chances.set_ylabel("P(the declarer wins), open cards,\nfrom the player's knowledge")
    costs.axhline(0, color=GREY, linewidth=1)
    low, high = costs.get_ylim()
    costs.set_ylim(min(low, -0.3 * max(high, 10)), max(high, 10))
    costs.set_ylabel("game value\nthat it cost its side")
    costs.set_xlabel("card; grey: the only legal one")
    costs.set_xlim(0.3, len(moves) + 0.7)
    plain_axes(chances, costs, along="y")
    figure.suptitle(f"Game {record.number}: {record.contract}, bid {record.bid}", fontsize=10)
    handles, labels = chances.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False, fontsize=8)


def _declarer_wins(choice: Choice, place: int) -> float:
    chance = float(choice.advice.open_play.shares.estimate(place).value)
    return chance if choice.advice.for_party else 1 - chance
