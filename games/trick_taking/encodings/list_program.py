"""Operators of a game laid out on lists."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import frozen
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from compiler.errors import GameError
from compiler.synthesis.method import Operator
from games.trick_taking.encodings.card_codes import CardCodes
from games.trick_taking.encodings.list_dealing import (
    Dealing,
    DealPlan,
    Slot,
    deal_plan,
    known_cards,
)
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.operators.list_play import FollowPlay, LeadPlay
from games.trick_taking.operators.list_trick import TrickWinner
from games.trick_taking.operators.lists import ones
from games.trick_taking.operators.trick_score import TrickScore
from games.trick_taking.rules.rules import NULL


@frozen
class Score:
    """Setup of a score register.

    Args:
        start: its first value.
        bits: its size; the top bit ends as "won", or as "has taken a trick" in a null game.
    """

    start: int
    bits: int


def score_of(game: TrickTakingGame, codes: CardCodes) -> Score:
    """Return the smallest score register whose top bit is 1 if the party has won."""
    taken = [card for seat, cards in game.taken if seat in game.party for card in cards]
    if game.rules.contract == NULL:
        bits = game.hand.bit_length() + 1
        return Score((1 << bits - 1) - (not taken), bits)
    most = sum(game.points_of)
    wanted = game.threshold - game.base_points - sum(game.points_of[card] for card in taken)
    bits = max(wanted, most - wanted + 1, *codes.points).bit_length() + 1
    return Score((1 << bits - 1) - wanted, bits)


SEGMENTED = 12
"""Cards beyond which a barrier follows every operator, so that games can be sampled there."""


class ListProgram:
    """Lays the operators of a game out on registers.

    Args:
        game: the game.
        codes: codes of the cards.
        scored: whether to keep a score, and measure the win.

    Attributes:
        follow: lets a follower play one of its cards.
        trick: brings the luggage of a trick's winner to first place.
        score: counts the cards of a trick.
    """

    follow: type[FollowPlay] = FollowPlay
    trick: type[TrickWinner] = TrickWinner
    score: type[TrickScore] = TrickScore

    def __init__(self, game: TrickTakingGame, codes: CardCodes, *, scored: bool) -> None:
        self.game, self.codes, self.scored = game, codes, scored
        self.width = codes.width
        starts = [owner * game.hand for owner in range(game.players + 1)]
        self.size = (starts[-1] + game.skat) * self.width
        slots = [list(range(q, q + self.width)) for q in range(0, self.size, self.width)]
        self.hands = [slots[start:end] for start, end in pairwise(starts)]
        self.skat = slots[starts[-1] :]
        seats = range(game.leader, game.leader + game.players)
        self.ours = [seat % game.players in game.party for seat in seats]
        self.history: list[int] = []
        self.party: list[int] = []
        self.tricks: list[int] = []
        self.levels: list[int] = []
        self.operations: list[tuple[Operator | str, list[int]]] = []

    def build(self) -> QuantumCircuit:
        """Return the program with its measurements."""
        self._deal()
        score = self._start_score()
        for trick in range(self.game.hand):
            cards = self.game.hand - trick
            self._play(trick, cards)
            self._take(cards, score)
        self._end(score)
        return self._assembled(score)

    def _fresh(self, count: int) -> list[int]:
        self.size += count
        return list(range(self.size - count, self.size))

    def _append(self, operator: Operator, operands: Sequence[int]) -> list[int]:
        """Add an operator, with fresh history qubits and clean ancillas after its operands."""
        history = self._fresh(len(operator.history))
        self.history += history
        ancillas = range(-operator.ancillas, 0)
        self.operations.append((operator, [*operands, *history, *ancillas]))
        return history

    def _write(self, code: int, slot: Sequence[int]) -> None:
        if code:
            self.operations.append(("x", ones(slot, code)))

    def _deal(self) -> None:
        game, codes = self.game, self.codes.codes
        free: dict[int, list[list[int]]] = {}
        for owner, size in enumerate(game.hands):
            slots = self._slots_of(owner)
            held = known_cards(game, owner)
            free[owner] = slots[: size - len(held)]
            for card, slot in zip(held, slots[size - len(held) : size], strict=True):
                self._write(codes[card], slot)
        for turn, card in enumerate(game.table):
            self._write(codes[card], self.hands[turn][-1])
        plan = deal_plan(game)
        if plan is None:
            raise GameError(f"{game.name}: class counts that cannot be dealt owner by owner")
        for operation, qubits in self._dealing(plan, free):
            if isinstance(operation, Operator):
                self._append(operation, qubits)
            else:
                self._write(operation, qubits)

    def _dealing(
        self, plan: DealPlan, free: dict[int, list[Slot]]
    ) -> Iterator[tuple[Operator | int, list[int]]]:
        """Yield the deal of unknown cards: operators, and codes with their slots."""
        return Dealing(self.width, plan, self.codes.codes, free).operations()

    def _slots_of(self, owner: int) -> list[list[int]]:
        if owner == self.game.players:
            return self.skat
        return self.hands[(owner - self.game.leader) % self.game.players]

    def _play(self, trick: int, cards: int) -> None:
        game, codes = self.game, self.codes
        for place in range(0 if trick else len(game.table), game.players):
            forced = trick == 0 and place == 0 and game.first_card is not None
            if cards == 1 or forced:
                continue
            hand = [qubit for slot in self.hands[place][:cards] for qubit in slot]
            if place == 0 or codes.class_bits == 0:
                self._append(LeadPlay(self.width, cards), hand)
            else:
                led = self.hands[0][cards - 1][codes.lane_bits :]
                follow = self.follow(codes.class_bits, codes.lane_bits, cards)
                self._append(follow, [*hand, *led])

    def _take(self, cards: int, score: list[int]) -> int | None:
        """Take a trick of the last of `cards` slots; with a score, count it and return its side."""
        game, codes = self.game, self.codes
        party = self.party if game.winner_leads else self._party()
        columns = []
        for place, hand in enumerate(self.hands):
            left = hand[: cards - 1] if game.winner_leads else []
            columns.append([*hand[cards - 1], *(q for slot in left for q in slot),
                            *party[place : place + 1]])  # fmt: skip
        luggage = len(columns[0]) - self.width
        operands = [qubit for column in columns for qubit in column]
        winner = self.trick(
            game.players, codes.class_bits, codes.lane_bits, luggage, trumps=codes.trumps
        )
        self.tricks += self._append(winner, operands)[: game.players - 1]
        if self.scored:
            lanes = [hand[cards - 1][: codes.lane_bits] for hand in self.hands]
            self._count(party[0], lanes, score)
        return party[0] if party else None

    def _end(self, score: list[int]) -> None:
        """Bring a score into the form that is measured: its top bit says "won"."""
        if score and self.game.rules.contract == NULL:
            self.operations.append(("x", score[-1:]))

    def _measured(self, score: list[int]) -> list[tuple[str, list[int]]]:
        """Return the classical registers, and the qubits that they get."""
        return [
            ("hands", [qubit for hand in self.hands for slot in hand for qubit in slot]),
            ("skat", [qubit for slot in self.skat for qubit in slot]),
            ("tricks", self.tricks),
            ("win", score[-1:]),
        ]

    def _party(self) -> list[int]:
        """Return flags of the seats in the order of play, in fresh qubits, if there is a score."""
        if not self.scored:
            return []
        flags = self._fresh(self.game.players)
        self.history += flags
        marked = [flag for flag, ours in zip(flags, self.ours, strict=True) if ours]
        self.operations.append(("x", marked))
        return flags

    def _start_score(self) -> list[int]:
        if not self.scored:
            return []
        game, start = self.game, score_of(self.game, self.codes)
        score = self._fresh(start.bits)
        self._write(start.start, score)
        self.party = self._party() if game.winner_leads else []
        if game.skat and game.skat_to in game.party and game.rules.contract != NULL:
            lanes = [slot[: self.codes.lane_bits] for slot in self.skat]
            self._count(self._flagged(), lanes, score)
        return score

    def _flagged(self) -> int:
        """Return a qubit that is 1: the flag of a hand of the party, if flags travel."""
        if self.party:
            return self.party[self.ours.index(True)]
        (always,) = self._fresh(1)
        self.history.append(always)
        self.operations.append(("x", [always]))
        return always

    def _count(self, flag: int, lanes: list[list[int]], score: list[int]) -> None:
        points = self.codes.points
        if self.game.rules.contract == NULL:
            lanes, points = lanes[:1], (1,) * len(points)
        operator = self.score(len(lanes), self.codes.lane_bits, len(score), points)
        self._append(operator, [flag, *(qubit for lane in lanes for qubit in lane), *score])

    def _assign_ancillas(self) -> list[int]:
        """Use history qubits that are still clean as ancillas; return the work qubits besides.

        A negative operand stands for an ancilla.
        """
        first_use: dict[int, int] = {}
        for time, (_, qubits) in enumerate(self.operations):
            for qubit in qubits:
                first_use.setdefault(qubit, time)
        work: list[int] = []
        for time, (operation, qubits) in enumerate(self.operations):
            wanted = sum(qubit < 0 for qubit in qubits)
            later = [qubit for qubit in reversed(self.history) if first_use[qubit] > time]
            work += self._fresh(max(0, wanted - len(later) - len(work)))
            clean = iter([*work, *later])
            replaced = [next(clean) if qubit < 0 else qubit for qubit in qubits]
            self.operations[time] = (operation, replaced)
        return work

    def _assembled(self, score: list[int]) -> QuantumCircuit:
        """Return the circuit on named registers."""
        work = self._assign_ancillas()
        game, hand = self.game, self.game.hand * self.width
        registers = [
            *((f"hand_{p}", list(range(p * hand, (p + 1) * hand))) for p in range(game.players)),
            ("skat", [qubit for slot in self.skat for qubit in slot]),
            ("score", score),
            ("levels", self.levels),
            ("history", self.history),
            ("work", work),
        ]
        place: dict[int, object] = {}
        circuit = QuantumCircuit(name=game.name)
        for name, qubits in registers:
            if qubits:
                register = QuantumRegister(len(qubits), name)
                circuit.add_register(register)
                place.update(zip(qubits, register, strict=True))
        for operation, qubits in self.operations:
            if operation == "x":
                circuit.x([place[qubit] for qubit in qubits])
                continue
            if operation == "cx":
                circuit.cx(*[place[qubit] for qubit in qubits])
                continue
            circuit.append(operation, [place[qubit] for qubit in qubits])
            if len(game.deck) > SEGMENTED:
                circuit.barrier()
        for name, qubits in self._measured(score):
            if qubits:
                outcome = ClassicalRegister(len(qubits), name)
                circuit.add_register(outcome)
                circuit.measure([place[qubit] for qubit in qubits], outcome)
        return circuit
