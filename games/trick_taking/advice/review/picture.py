"""The picture of a review: the declarer's chance before each card, and what the card cost."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from games.trick_taking.advice.picture import BLUE, GREY, ORANGE
from games.trick_taking.advice.review.reviewing import Choice, Move
from games.trick_taking.skat.records.record import Record

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def review_picture(record: Record, moves: Sequence[Move], figure: "Figure") -> None:
    """Draw both cards' chances, as the player saw them, over what the game value lost."""
    figure.set_size_inches(9.0, 5.6)
    chances, costs = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    for declares, colour, side in ((True, ORANGE, "the declarer"), (False, BLUE, "the others")):
        own = [one.choice for one in moves if one.choice and one.by_declarer == declares]
        places = [one.position.move for one in own]
        best = [_declarer_wins(one, one.advised) for one in own]
        played = [_declarer_wins(one, one.played) for one in own]
        chances.vlines(places, best, played, colors=colour, linewidth=2)
        chances.plot(places, best, "o", mfc="white", color=colour, label=f"{side}: advised")
        chances.plot(places, played, "o", color=colour, markersize=4, label=f"{side}: played")
        costs.bar(places, [one.value_cost or 0.0 for one in own], color=colour)
    for move in moves:
        costs.annotate(
            str(move.position.played), (move.position.move, 0), (0, -3), rotation=90,
            textcoords="offset points", ha="center", va="top", fontsize=7,
            color=GREY if move.choice is None else "black",
        )  # fmt: skip
    chances.set_ylim(-0.04, 1.04)
    chances.set_ylabel("P(the declarer wins), open cards,\nby what the player knew")
    costs.axhline(0, color=GREY, linewidth=1)
    low, high = costs.get_ylim()
    costs.set_ylim(min(low, -0.3 * max(high, 10)), max(high, 10))
    costs.set_ylabel("game value\nthat it cost its side")
    costs.set_xlabel("card; grey: the only one that might be played")
    costs.set_xlim(0.3, len(moves) + 0.7)
    for axes in (chances, costs):
        axes.grid(axis="y", color="#dddddd")
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(f"Game {record.number}: {record.contract}, bid {record.bid}", fontsize=10)
    handles, labels = chances.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False, fontsize=8)


def _declarer_wins(choice: Choice, place: int) -> float:
    chance = float(choice.advice.open_play.shares.estimate(place).value)
    return chance if choice.advice.for_party else 1 - chance
