"""A review for people: a line for each card, and what each seat gave away."""

from collections.abc import Sequence

from games.playing.panels import Cell, Grid, Lines, Panel
from games.trick_taking.advice.panels import unit_of
from games.trick_taking.advice.review.reviewing import Choice, Move, Total, totals
from games.trick_taking.rules.steps import seat_name
from games.trick_taking.skat.records.record import Record

COLUMNS = ("card", "seat", "played", "open cards", "superposed", "deals", "P(win)",
           "best", "cost", "points", "value")  # fmt: skip
UNSAID = "–"


def review_panels(record: Record, moves: Sequence[Move], seconds: float) -> list[Panel]:
    """Return what is shown of a review.

    Args:
        record: of the game.
        moves: every card.
        seconds: that bounded each.
    """
    return [
        Lines(f"Game {record.number}: {record.contract}, bid {record.bid}",
              [_told(one) for one in totals(moves)]),
        Grid("Every card; what it cost its side", COLUMNS, [_row(move) for move in moves]),
        Lines("What that means", [
            "Open cards, superposed: the card that each advises from what the player knew; – where "
            "only one card might be played.",
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


def _told(total: Total) -> str:
    role = "the declarer" if total.declares else "against"
    return (
        f"{seat_name(total.seat)}, {role}: {total.as_advised} of {total.choices} choices as "
        f"advised; gave away {total.chance:.2f} of won deals and {total.value:.1f} of game value."
    )


def _row(move: Move) -> list[Cell]:
    position, choice = move.position, move.choice
    who = seat_name(move.seat) + (" declarer" if move.by_declarer else "")
    told = [str(position.move), who, str(position.played)]
    if choice is None:
        return [Cell(text, "faint") for text in (*told, *[UNSAID] * 8)]
    shares, clear = choice.advice.open_play.shares, told_apart(choice)
    unit = f" {unit_of(position.game)}" if position.game.counts_cards else ""
    costs = [
        f"{choice.chance_cost:.3f}{'*' if clear else ''}",
        UNSAID if choice.points_cost is None else f"{choice.points_cost:.1f}{unit}",
        UNSAID if choice.value_cost is None else f"{choice.value_cost:.1f}",
    ]
    told += [
        _name(choice, choice.advised),
        _name(choice, choice.advice.by_superposition[0]),
        f"all {shares.deals}" if shares.complete else str(shares.deals),
        f"{float(shares.estimate(choice.played).value):.3f}",
        f"{float(shares.estimate(choice.advised).value):.3f}",
        *costs,
    ]
    tone = "good" if choice.played == choice.advised else "bad" if clear else "plain"
    return [Cell(text, tone) for text in told]


def told_apart(choice: Choice) -> bool:
    """Tell whether it is certain, or likely, that the played card wins fewer deals."""
    lead = choice.lead
    if lead.p_value is None:
        return lead.better > lead.worse
    return lead.better > lead.worse and lead.p_value < 0.05


def _name(choice: Choice, place: int) -> str:
    return str(choice.advice.game.deck[choice.advice.cards[place]])
