"""A recorded game at one of its cards, with the knowledge of the player to move."""

from collections.abc import Sequence

from attrs import frozen

from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.rules import NULL, POINTS, Card
from games.trick_taking.rules.setup import seat_name
from games.trick_taking.skat.records.checking import SEATS, Situation, check, situation
from games.trick_taking.skat.records.record import Record, RecordError
from games.trick_taking.skat.values import (
    ALL_POINTS,
    DECK,
    NAMES,
    NEEDED,
    SCHNEIDER,
    TRICKS,
    Contract,
    Outcome,
    game_value,
    matadors,
    points_of,
)

SCHWARZ = ALL_POINTS + 1
"""A goal above all points: every trick."""
REACHED = {NEEDED: Outcome(NEEDED, 6), SCHNEIDER: Outcome(SCHNEIDER, 9),
           SCHWARZ: Outcome(ALL_POINTS, TRICKS)}  # fmt: skip


@frozen
class Position:
    """The knowledge of a player before a card of a recorded game, and the card.

    Args:
        game: the game, the declarer as the party.
        move: number of the card in the record, from 1.
        played: the card that was played; None if the record ends before.
        facts: facts that are taken into account, in sentences.
        contract: the declarer's contract.
        bid: the declarer's highest bid.
        laid: the declarer's cards that were played before.
    """

    game: TrickTakingGame
    move: int
    played: Card | None
    facts: tuple[str, ...]
    contract: Contract
    bid: int
    laid: tuple[Card, ...]


def position_at(record: Record, move: int) -> Position:
    """Return the position before a card of a record, as its player knows it.

    Players know their own hand, all cards that were played, and the suits that a seat has not
    followed. A declarer who picked the skat up also knows the discard, and all seats know the
    cards of a declarer who plays ouvert. Bids and styles of play give no information.

    Args:
        record: record of a game.
        move: number of the card, from 1.

    Raises:
        RecordError: if the record has no such card, or moves against the rules.
    """
    if check(record) is None:
        reason = "all have passed" if record.passed else record.note
        raise RecordError(f"game {record.number}: {reason}, no card was played")
    if not 1 <= move <= len(record.plays):
        raise RecordError(
            f"game {record.number}, move {move}: the record has moves 1 to {len(record.plays)}"
        )
    return position_before(record, move)


def position_before(record: Record, move: int) -> Position:
    """Return the position before a card, also before the next one of a game that goes on.

    Args:
        record: record of a game that has a contract.
        move: number of the card, from 1.
    """
    contract, declarer = record.contract, record.declarer
    assert contract is not None and declarer is not None
    before = situation(record, contract, declarer, move - 1)
    own = before.seat == declarer
    lost_trick = any(before.stacks[other] for other in range(SEATS) if other != declarer)
    laid = [card for s, card in record.plays[: move - 1] if s == declarer]
    twelve = [*laid, *before.hands[declarer], *(() if contract.hand else record.discards)]
    goal, facts = _goal(record, contract, twelve if own else None, lost_trick)
    return Position(
        game=_game(record, contract, before, goal),
        move=move,
        played=record.plays[move - 1][1] if move <= len(record.plays) else None,
        facts=(*facts, *_facts(before, contract, declarer)),
        contract=contract,
        bid=record.bid,
        laid=tuple(laid),
    )


def _goal(
    record: Record, contract: Contract, twelve: Sequence[Card] | None, lost_trick: bool
) -> tuple[int, list[str]]:
    """Return the points that the declarer needs, as far as the player knows.

    Args:
        record: record of the game.
        contract: contract of the declarer.
        twelve: the declarer's cards, if it is their turn; ten in a hand game.
        lost_trick: whether the others have a trick already.
    """
    if contract.game == NULL:
        return 0, [f"{contract}: the declarer may take no trick."]
    goal = SCHWARZ if contract.schwarz else SCHNEIDER if contract.schneider else NEEDED
    if twelve is None:
        return goal, [
            f"{contract}, bid {record.bid}: the declarer needs {_named(goal)}; whether the bid "
            "needs more, the others do not know."
        ]
    tops = matadors(twelve, contract.game)
    values = {
        level: game_value(contract, tops, REACHED[level]) for level in REACHED if level >= goal
    }
    enough = [level for level, value in values.items() if value >= record.bid]
    tops_told = f"with {tops}" if tops > 0 else f"without {-tops}"
    unseen = ", the skat not counted" if contract.hand else ""
    text = f"{contract}, {tops_told}{unseen}, bid {record.bid}: "
    if not enough or (enough[0] == SCHWARZ and lost_trick):
        return goal, [
            f"{text}overbid, the game is lost; cards are compared by {_named(goal)} all the same."
        ]
    return enough[0], [f"{text}{_named(enough[0])} needed."]


def _named(goal: int) -> str:
    return "every trick" if goal == SCHWARZ else f"{goal} points"


def _game(record: Record, contract: Contract, before: Situation, goal: int) -> TrickTakingGame:
    declarer = record.declarer
    assert declarer is not None, "a game with a contract has a declarer"
    null, seat = contract.game == NULL, before.seat
    owners: dict[Card, int] = dict.fromkeys(before.hands[seat], seat)
    seen = {seat}
    if contract.ouvert:
        owners |= dict.fromkeys(before.hands[declarer], declarer)
        seen.add(declarer)
    if seat == declarer and not contract.hand:
        owners |= dict.fromkeys(record.discards, SEATS)
    owners |= {card: (before.leader + turn) % SEATS for turn, card in enumerate(before.table)}
    owners |= {card: taker for taker, stack in enumerate(before.stacks) for card in stack}
    # Every card a point, and all of them needed: all tricks.
    schwarz = goal == SCHWARZ
    return TrickTakingGame(
        name=f"game {record.number}, move {sum(map(len, before.stacks)) + len(before.table) + 1}",
        players=SEATS,
        hand=TRICKS - before.tricks,
        deck=DECK,
        points_of=tuple(1 if schwarz else POINTS[card.rank] for card in DECK),
        known=tuple(owners.get(card) for card in DECK),
        party=(declarer,),
        threshold=SEATS * TRICKS if schwarz else goal,
        rules=contract.rules,
        leader=before.leader,
        class_counts=tuple((s, name, 0) for s, name in before.voids if s not in seen),
        table=tuple(map(DECK.index, before.table)),
        taken=tuple(
            (s, tuple(map(DECK.index, stack))) for s, stack in enumerate(before.stacks) if stack
        ),
        skat_to=None if null or schwarz else declarer,
    )


def _facts(before: Situation, contract: Contract, declarer: int) -> list[str]:
    """Return the seat to move, and the known facts about the others' cards."""
    seat = before.seat
    role = "the declarer" if seat == declarer else f"against {seat_name(declarer)}"
    facts = [f"{seat_name(seat)} plays, {role}; tricks played: {before.tricks}."]
    if contract.game != NULL and before.tricks:
        own = points_of(before.stacks[declarer])
        others = sum(points_of(s) for n, s in enumerate(before.stacks) if n != declarer)
        facts.append(f"In tricks the declarer has {own} points, the others {others}.")
    if contract.ouvert and seat != declarer:
        facts.append("The declarer's cards lie open.")
    if seat == declarer:
        facts.append("The skat is unknown." if contract.hand else "The skat is known.")
    voids = [
        f"{seat_name(s)} has no {NAMES.get(name, 'trump')}" for s, name in before.voids if s != seat
    ]
    return [*facts, f"Seen: {', '.join(voids)}."] if voids else facts
