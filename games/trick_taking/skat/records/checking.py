"""Check of a record: the legality of its moves, and the value of the game."""

from collections.abc import Sequence

from attrs import frozen

from games.trick_taking.rules.rules import NULL, TRUMP, Card
from games.trick_taking.skat.records.record import Record, RecordError
from games.trick_taking.skat.values import (
    TRICKS,
    Contract,
    Outcome,
    Settlement,
    matadors,
    points_of,
    settled,
)

SEATS = 3


@frozen
class Checked:
    """Results of the moves of a game that was played.

    Args:
        record: record of the game.
        contract: the contract.
        matadors: number of matadors, negative if the declarer is without them; 0 for a null.
        outcome: points and tricks of the declarer. If one side gave up, the other side gets the
            remaining tricks; in a null the side that gave up gets them. None where the outcome
            does not follow from the moves.
        settlement: the game value for the declarer; None without an outcome.
    """

    record: Record
    contract: Contract
    matadors: int
    outcome: Outcome | None
    settlement: Settlement | None

    @property
    def agrees(self) -> bool | None:
        """Return whether the server agrees; None where nothing follows or it says nothing."""
        recorded, result, outcome = self.record.said, self.settlement, self.outcome
        if result is None or outcome is None or recorded is None:
            return None
        pairs = [
            (self.record.declarer, recorded.declarer),
            (result.value, recorded.value),
            (result.won, recorded.won),
            (result.overbid, recorded.overbid),
            (self.matadors, recorded.matadors),
        ]
        if self.contract.game != NULL:
            pairs += [(outcome.points, recorded.points), (outcome.tricks, recorded.tricks)]
        compared = [(ours, theirs) for ours, theirs in pairs if theirs is not None]
        return all(ours == theirs for ours, theirs in compared) if compared else None


@frozen
class Situation:
    """Cards of a game after some of its moves.

    Args:
        hands: hand of each seat.
        leader: leader of the current trick.
        table: the cards of the current trick, in the order of play.
        stacks: the cards of the tricks of each seat.
        voids: seats that have not followed a class of cards.
    """

    hands: Sequence[Sequence[Card]]
    leader: int
    table: Sequence[Card]
    stacks: Sequence[Sequence[Card]]
    voids: Sequence[tuple[int, str]]

    @property
    def seat(self) -> int:
        """The seat to move."""
        return (self.leader + len(self.table)) % SEATS

    @property
    def tricks(self) -> int:
        """Number of tricks that are over."""
        return sum(map(len, self.stacks)) // SEATS


def check(record: Record) -> Checked | None:
    """Play a record's moves; None if there is no contract.

    Raises:
        RecordError: naming the first move that is against the rules.
    """
    if record.contract is None or record.declarer is None:
        return None
    declarer, contract = record.declarer, record.contract
    twelve = [*record.hands[declarer], *record.skat]
    end = situation(record, contract, declarer)
    tops = matadors(twelve, contract.game)
    outcome = _outcome(record, contract, declarer, end)
    settlement = None
    if outcome is not None:
        settlement = settled(contract, tops, outcome, record.bid, twelve)
    return Checked(record, contract, tops, outcome, settlement)


def situation(
    record: Record, contract: Contract, declarer: int, moves: int | None = None
) -> Situation:
    """Play the first moves of a record.

    Args:
        record: record of the game.
        contract: contract of the declarer.
        declarer: their seat.
        moves: number of cards that are played; None for all.

    Raises:
        RecordError: naming the first move that is against the rules.
    """
    hands = [list(hand) for hand in record.hands]
    if not contract.hand:
        twelve = [*hands[declarer], *record.skat]
        for card in record.discards:
            if card not in twelve:
                raise RecordError(f"game {record.number}: {card} is discarded but not there")
        hands[declarer] = [card for card in twelve if card not in record.discards]
    rules, leader, trick = contract.rules, 0, list[tuple[int, Card]]()
    stacks: list[list[Card]] = [[] for _ in range(SEATS)]
    voids = dict[tuple[int, str], None]()
    for place, (seat, card) in enumerate(record.plays[:moves], start=1):
        where = f"game {record.number}, card {place}, {seat} {card}"
        due = (leader + len(trick)) % SEATS
        if seat != due:
            raise RecordError(f"{where}: it is seat {due}'s turn")
        if card not in hands[seat]:
            raise RecordError(f"{where}: seat {seat} does not hold it")
        led = rules.class_of(trick[0][1]) if trick else rules.class_of(card)
        if rules.class_of(card) != led:
            if any(rules.class_of(c) == led for c in hands[seat]):
                raise RecordError(
                    f"{where}: seat {seat} holds a card of the led class and must play it"
                )
            voids[seat, led] = None
        hands[seat].remove(card)
        trick.append((seat, card))
        if len(trick) == SEATS:
            leader = taker(contract, trick)
            stacks[leader] += [lying for _, lying in trick]
            trick = []
    return Situation(hands, leader, [lying for _, lying in trick], stacks, list(voids))


def _outcome(record: Record, contract: Contract, declarer: int, end: Situation) -> Outcome | None:
    """Return the declarer's points and tricks, None if the game has ended otherwise."""
    own, ended = end.stacks[declarer], end.tricks
    points, tricks = points_of(record.discards) + points_of(own), len(own) // SEATS
    if ended == TRICKS or (contract.game == NULL and tricks):
        return Outcome(points, tricks)
    if record.unknown:
        return None
    gave_up = set(record.resigned)
    opponents = set(range(SEATS)) - {declarer}
    if declarer not in gave_up and not opponents <= gave_up:
        # A trick against announced schwarz loses the game, regardless of later plays.
        return Outcome(points, tricks) if contract.schwarz and ended > tricks else None
    # The opponents of the side that gave up get the remaining cards; in a null that side itself
    # gets them. So giving up loses, unless the points of the tricks before decided the game.
    if (declarer in gave_up) != (contract.game == NULL):
        return Outcome(points, tricks)
    left = points_of([*end.table, *(card for hand in end.hands for card in hand)])
    return Outcome(points + left, tricks + TRICKS - ended)


def taker(contract: Contract, trick: list[tuple[int, Card]]) -> int:
    """Return the seat that takes a trick, given as seats and cards in the order of play."""
    rules = contract.rules
    led = rules.class_of(trick[0][1])

    def weakness(play: tuple[int, Card]) -> tuple[bool, bool, tuple[int, int]]:
        own = rules.class_of(play[1])
        return own != TRUMP, own != led, rules.weakness(play[1])

    return min(trick, key=weakness)[0]
