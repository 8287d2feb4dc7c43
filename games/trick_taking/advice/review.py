"""Review of a recorded game: advice before every card, and the cost of the card played."""

from collections.abc import Callable, Sequence

from attrs import evolve, frozen

from compiler.scores.intervals import Interval
from games.trick_taking.advice.adviser import Advice, advise, choices_of
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.shares import Lead
from games.trick_taking.advice.source import stakes_of_record
from games.trick_taking.play.positions import turn_of
from games.trick_taking.skat.records.position import Position, position_at
from games.trick_taking.skat.records.record import Record


@frozen(eq=False)
class Choice:
    """A card that was played, and its result with open cards; costs are those of the own side.

    Args:
        position: the position before the card.
        advice: the evidence for each card.
    """

    position: Position
    advice: Advice

    @property
    def played(self) -> int:
        """The card that was played, as its index among the cards of the advice."""
        deck, played = self.advice.game.deck, self.position.played
        assert played is not None, "a record has the card that it is reviewed at"
        return [deck[card] for card in self.advice.cards].index(played)

    @property
    def advised(self) -> int:
        """The card that open cards advise."""
        return self.advice.by_open_cards[0]

    @property
    def lead(self) -> Lead:
        """Lead of the advised card over the played one, in the same deals."""
        return self.advice.open_play.shares.lead(self.advised, self.played)

    @property
    def chance_cost(self) -> float:
        """Share of deals that was given away; never below 0."""
        return (self.lead.better - self.lead.worse) / self.advice.open_play.shares.deals

    @property
    def significant(self) -> bool:
        """Return whether it is certain, or likely, that the played card wins fewer deals."""
        lead = self.lead
        return lead.better > lead.worse and (lead.p_value is None or lead.p_value < 0.05)

    @property
    def points_cost(self) -> float | None:
        """Points that were given away, negative if they were won; None if they are unknown.

        In a game that `counts_cards` they are cards of tricks.
        """
        return self._cost(self.advice.open_play.points)

    @property
    def value_cost(self) -> float | None:
        """Expected game value that was given away."""
        return self._cost(self.advice.open_play.values)

    def _cost(self, averages: Sequence[Interval]) -> float | None:
        if not averages:
            return None
        better, worse = averages[self.advised].value, averages[self.played].value
        return better - worse if self.advice.for_party else worse - better


@frozen(eq=False)
class Move:
    """A card of a recorded game.

    Args:
        position: position before the card.
        choice: None if it was the only card that might be played.
    """

    position: Position
    choice: Choice | None

    @property
    def seat(self) -> int:
        """The seat that played the card."""
        return turn_of(self.position.game)

    @property
    def by_declarer(self) -> bool:
        """Return whether that is the declarer."""
        return self.seat in self.position.game.party


@frozen
class Total:
    """Losses of a seat in a game.

    Args:
        seat: the seat.
        declares: whether it plays against the two others.
        choices: number of cards with an alternative.
        as_advised: number of those cards that were the advised ones.
        chance: sum of the shares of deals that were given away.
        value: sum of the expected game value that was given away.
    """

    seat: int
    declares: bool
    choices: int
    as_advised: int
    chance: float
    value: float


@frozen(eq=False)
class Review:
    """Advice before every card of a recorded game.

    Args:
        record: record of the game.
        effort: limits of the advice on each card.
        moves: every card.
    """

    record: Record
    effort: Effort
    moves: Sequence[Move]

    @property
    def totals(self) -> list[Total]:
        """Loss of each seat against the best cards, by seat."""
        result = []
        for seat in sorted({move.seat for move in self.moves}):
            own = [move for move in self.moves if move.seat == seat]
            choices = [move.choice for move in own if move.choice is not None]
            result.append(
                Total(
                    seat,
                    own[0].by_declarer,
                    len(choices),
                    sum(choice.played == choice.advised for choice in choices),
                    sum(choice.chance_cost for choice in choices),
                    sum(choice.value_cost or 0.0 for choice in choices),
                )
            )
        return result


def reviewed(record: Record, effort: Effort, say: Callable[[str], None]) -> Review:
    """Return every card of a game, with advice from its player's knowledge.

    Args:
        record: record of the game.
        effort: bounds for each card; the seconds, too.
        say: takes a line of progress for each card.

    Raises:
        RecordError: if moves are against the rules.
    """
    moves = []
    for number in range(1, len(record.plays) + 1):
        position = position_at(record, number)
        choice = None
        if len(choices_of(position.game)) > 1:
            say(f"card {number} of {len(record.plays)}, for at most {effort.seconds:g} s")
            own = evolve(effort)
            advice = advise(position.game, own, lambda _: None, stakes_of_record(position))
            choice = Choice(position, advice)
        moves.append(Move(position, choice))
    return Review(record, effort, moves)
