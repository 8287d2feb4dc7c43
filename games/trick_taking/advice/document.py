"""An advice for programs."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from attrs import asdict

from games.commands import Estimated
from games.trick_taking.advice.adviser import Advice
from games.trick_taking.advice.on_backends.estimating import HandedOver
from games.trick_taking.advice.on_backends.measuring import Measured
from games.trick_taking.advice.panels import recommendation
from games.trick_taking.advice.shares import Estimate, Lead
from games.trick_taking.advice.stakes import Untold
from games.trick_taking.skat.records.position import Position

TAKEN = {
    "reached", "calls", "sampling_calls", "shots", "circuits", "deepest",
    "iterate_two_qubit_gates", "verified",
}  # fmt: skip
"""Of an estimate, what is told of how it was got."""


def document(
    advice: Advice,
    measured: Measured | None,
    seed: int,
    recorded: Position | None = None,
    handed: HandedOver | None = None,
) -> Mapping[str, Any]:
    """Return what `--json` prints of an advice, of a record's card, and of jobs."""
    deck, shares = advice.game.deck, advice.open_play.shares
    names = [str(deck[card]) for card in advice.cards]
    best, superposed = advice.by_open_cards[0], advice.by_superposition[0]
    return {
        "program": advice.game.name,
        "seat": advice.seat,
        "supported": advice.supported,
        "recommended": names[best] if advice.supported else None,
        "leading": names[best],
        "as_good": [names[place] for place in advice.alike[1:]],
        "superposition_supported": advice.superposition_supported,
        "superposition_recommends": names[superposed] if advice.superposition_supported else None,
        "superposition_leading": names[superposed],
        "agree": best == superposed,
        "said": recommendation(advice),
        "move": recorded and recorded.move,
        "played": recorded and str(recorded.played),
        "played_recommended": (
            str(recorded.played) == names[best] if recorded and advice.supported else None
        ),
        "taken_into_account": list(recorded.told) if recorded else [],
        "lead": _lead(advice.open_lead()),
        "superposition_lead": _lead(advice.superposed_lead()),
        "consistent_deals": advice.open_play.consistent,
        "deals": shares.deals,
        "deals_complete": shares.complete,
        "playouts": advice.superposed.playouts,
        **_asked(measured if handed is None else handed),
        "handed_over": handed
        and {names[place]: handed.jobs[advice.cards[place]] for place in range(len(names))},
        "seed": seed,
        **_stakes(advice),
        "cards": [_card(advice, measured, place) for place in advice.by_open_cards],
    }


def _asked(found: Measured | HandedOver | None) -> dict[str, Any]:
    asking = None if found is None else found.asking
    return {
        "backend": None if found is None else found.backend,
        "shots": None if found is None else found.shots,
        "estimator": asking and asking.estimator.value,
        "error": asking and asking.error,
    }


def _stakes(advice: Advice) -> dict[str, Any]:
    stakes = advice.stakes
    if isinstance(stakes, Untold):
        return {"contract": None, "bid": None, "no_game_value": stakes.reason}
    return {"contract": str(stakes.contract), "bid": stakes.bid, "no_game_value": None}


def _card(advice: Advice, measured: Measured | None, place: int) -> dict[str, Any]:
    card, open_play = advice.cards[place], advice.open_play
    exact = advice.superposed.shares is None
    counted = asdict(open_play.points[place]) if open_play.points else None
    of_cards = advice.game.counts_cards
    return {
        "card": str(advice.game.deck[card]),
        "superposed": _estimate(advice.superposed.chances[place], "exact" if exact else "sampled"),
        "quantum": measured
        and {
            **_estimate(measured.chances[card], "quantum"),
            "two_qubit_gates": measured.two_qubit_gates[card],
            "job": measured.jobs.get(card),
            "estimate": _asked_for(measured.estimates.get(card)),
        },
        "open_cards": {
            **_estimate(
                open_play.shares.estimate(place),
                "exact" if open_play.shares.complete else "sampled",
            ),
            "deals_won": open_play.shares.wins(place),
            "points": None if of_cards else counted,
            "trick_cards": counted if of_cards else None,
            "game_value": asdict(open_play.values[place]) if open_play.values else None,
        },
    }


def _asked_for(found: Estimated | None) -> dict[str, Any] | None:
    """Return what an estimate took; its value and interval are told beside it."""
    if found is None:
        return None
    return asdict(found, filter=lambda field, _: field.name in TAKEN)


def _estimate(chance: Estimate, method: str) -> dict[str, Any]:
    fraction = str(chance.value) if isinstance(chance.value, Fraction) else None
    return {
        "method": method,
        "p_win": float(chance.value),
        "fraction": fraction,
        "low": chance.low,
        "high": chance.high,
    }


def _lead(lead: Lead | None) -> dict[str, Any] | None:
    return None if lead is None else asdict(lead)
