"""Result of the command `advise`: an advice on a card."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from service.results.games.skat import Mean
from service.results.model import ResultModel

if TYPE_CHECKING:
    from games.trick_taking.advice.adviser import Advice
    from games.trick_taking.advice.measuring import Measured
    from games.trick_taking.advice.shares import Estimate
    from games.trick_taking.skat.records.position import Position


Method = Literal["exact", "sampled", "quantum"]


class Chance(ResultModel):
    """Probability of winning with a card, and its 95 % interval."""

    method: Method
    p_win: float
    fraction: str | None
    """The same number where it is exact, such as 5/12"""
    low: float
    high: float


def _chance(
    method: Literal["exact", "sampled", "quantum"], chance: "Estimate"
) -> dict[str, object]:
    value = chance.value
    return {
        "method": method,
        "p_win": float(value),
        "fraction": str(value) if isinstance(value, Fraction) else None,
        "low": chance.low,
        "high": chance.high,
    }


class CardEstimate(ResultModel):
    """Effort of an amplitude estimation."""

    reached: bool
    """True if the interval is as narrow as requested"""
    calls: int
    """Of the program or its inverse"""
    sampling_calls: int
    """Calls that sampling needs for the same error"""
    shots: int
    circuits: int
    deepest: int
    """Largest number of iterates of a circuit"""
    iterate_two_qubit_gates: int
    """That an iterate adds"""
    verified: Sequence[str]
    """Proofs of the circuits"""


class QuantumChance(Chance):
    """Probability of winning with a card on a backend."""

    two_qubit_gates: int
    job: int | None
    estimate: CardEstimate | None


class OpenCardsChance(Chance):
    """Share of deals that a card wins with open cards."""

    deals_won: int
    points: Mean | None
    """Of the party, on average"""
    trick_cards: Mean | None
    """Instead of points where every trick is needed"""
    game_value: Mean | None
    """Counted for the declarer, on average"""


class CardAdvice(ResultModel):
    """Chances of a card."""

    card: str
    superposed: Chance
    quantum: QuantumChance | None
    open_cards: OpenCardsChance


class Lead(ResultModel):
    """Comparison of the best card with the second one in the same deals."""

    better: int
    """Deals that only the best card wins"""
    worse: int
    """Deals that only the second one wins"""
    p_value: float | None
    """Of the sign test; null where all deals were solved"""


class CardsAdvice(ResultModel, commands="advise"):
    """Advice on the card to play."""

    schema_version: ClassVar[int] = 4

    program: str
    seat: int
    supported: bool
    """True if the deals support a recommendation"""
    recommended: str | None
    leading: str
    """Best card by open cards"""
    as_good: Sequence[str]
    """Cards that win the same deals"""
    superposition_supported: bool
    superposition_recommends: str | None
    superposition_leading: str
    agree: bool
    """True if both lead with the same card"""
    messages: Sequence[str]
    """The advice in sentences"""
    move: int | None = None
    """Number of the card in a record"""
    played: str | None
    """Card that the record has there"""
    played_recommended: bool | None
    taken_into_account: Sequence[str]
    lead: Lead | None
    superposition_lead: Lead | None
    consistent_deals: int
    deals: int
    deals_complete: bool
    playouts: int
    backend: str | None = None
    shots: int | None = None
    estimator: str | None = None
    error: float | None = None
    jobs: Mapping[str, int] | None
    """Jobs of workers, by card"""
    seed: int
    contract: str | None
    bid: int | None
    no_game_value: str | None
    """Reason why there is no game value"""
    cards: Sequence[CardAdvice]
    """The best first"""

    @classmethod
    def of(
        cls,
        advice: "Advice",
        seed: int,
        messages: Sequence[str],
        measured: "Measured | None" = None,
        recorded: "Position | None" = None,
    ) -> Self:
        """Return an advice.

        Args:
            advice: value of each card.
            seed: of all random choices.
            messages: the advice in sentences.
            measured: chances on a backend, or the jobs that are going to measure them.
            recorded: the card that a record has there.
        """
        deck, shares = advice.game.deck, advice.open_play.shares
        names = [str(deck[card]) for card in advice.cards]
        best, superposed = names[advice.by_open_cards[0]], names[advice.by_superposition[0]]
        queued = measured is not None and not measured.chances
        jobs = {str(deck[card]): job for card, job in measured.jobs.items()} if measured else {}
        played = str(recorded.played) if recorded else None
        return cls.from_objects(
            advice,
            measured,
            recorded,
            shares,
            program=advice.game.name,
            recommended=best if advice.supported else None,
            leading=best,
            as_good=[names[place] for place in advice.alike[1:]],
            superposition_recommends=superposed if advice.superposition_supported else None,
            superposition_leading=superposed,
            agree=best == superposed,
            messages=messages,
            played=played,
            played_recommended=played == best if recorded and advice.supported else None,
            taken_into_account=recorded.facts if recorded else [],
            lead=advice.open_lead(),
            superposition_lead=advice.superposed_lead(),
            consistent_deals=advice.open_play.consistent,
            deals_complete=shares.complete,
            playouts=advice.superposed.playouts,
            jobs=jobs if queued else None,
            seed=seed,
            cards=[
                _card(advice, None if queued else measured, place) for place in advice.by_open_cards
            ],
        )


def _card(advice: "Advice", measured: "Measured | None", place: int) -> CardAdvice:
    card, open_play, shares = advice.cards[place], advice.open_play, advice.open_play.shares
    counted = open_play.points[place] if open_play.points else None
    trick_cards = advice.game.counts_cards
    quantum = None
    if measured is not None:
        quantum = QuantumChance.model_validate({
            **_chance("quantum", measured.chances[card]),
            "two_qubit_gates": measured.two_qubit_gates[card],
            "job": measured.jobs.get(card),
            "estimate": measured.estimates.get(card),
        })  # fmt: skip
    exact = advice.superposed.shares is None
    superposed = _chance("exact" if exact else "sampled", advice.superposed.chances[place])
    open_cards = _chance("exact" if shares.complete else "sampled", shares.estimate(place))
    return CardAdvice(
        card=str(advice.game.deck[card]),
        superposed=Chance.model_validate(superposed),
        quantum=quantum,
        open_cards=OpenCardsChance.model_validate({
            **open_cards,
            "deals_won": shares.wins(place),
            "points": None if trick_cards else counted,
            "trick_cards": counted if trick_cards else None,
            "game_value": open_play.values[place] if open_play.values else None,
        }),
    )  # fmt: skip
