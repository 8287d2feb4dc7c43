"""A review for programs."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import asdict

from games.trick_taking.advice.document import document
from games.trick_taking.advice.review.panels import told_apart
from games.trick_taking.advice.review.reviewing import Move, totals
from games.trick_taking.skat.records.record import Record


def review_document(
    record: Record, moves: Sequence[Move], seconds: float, seed: int
) -> Mapping[str, Any]:
    """Return what `--json` prints of a review."""
    return {
        "game": record.number,
        "contract": str(record.contract),
        "bid": record.bid,
        "declarer": record.declarer,
        "seconds_a_move": seconds,
        "seed": seed,
        "seats": [asdict(one) for one in totals(moves)],
        "moves": [_move(move, seed) for move in moves],
    }


def _move(move: Move, seed: int) -> dict[str, Any]:
    choice, position = move.choice, move.position
    told: dict[str, Any] = {
        "move": position.move,
        "seat": move.seat,
        "declarer": move.by_declarer,
        "played": str(position.played),
        "only_card": choice is None,
    }
    if choice is None:
        return {**told, "cost": None, "advice": None}
    of_cards = position.game.counts_cards
    return {
        **told,
        "cost": {
            "deals": choice.chance_cost,
            "better": choice.lead.better,
            "worse": choice.lead.worse,
            "p_value": choice.lead.p_value,
            "told_apart": told_apart(choice),
            "points": None if of_cards else choice.points_cost,
            "trick_cards": choice.points_cost if of_cards else None,
            "game_value": choice.value_cost,
        },
        "advice": document(choice.advice, None, seed, position),
    }
