"""Stones as sums mod 2 of qubits: choices have qubits, and other stones follow from them."""

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from itertools import pairwise
from math import pi
from operator import xor

import numpy as np
from attrs import define, field
from qiskit import QuantumCircuit
from qiskit.circuit import Qubit

from compiler.synthesis.givens import reflect, reflect_if
from compiler.synthesis.permutations import flipped
from games.board.game import BoardGame
from games.board.rules.moves import ALWAYS, Arm
from games.board.rules.position import Position, Turn
from games.board.rules.superposition import Stone, Stones, asked_stones, moved

Sum = tuple[frozenset[int], bool]
"""Qubits whose values are added mod 2, and whether 1 is added."""

Place = tuple[int, Stone]
NOTHING: Sum = (frozenset(), False)
ONE: Sum = (frozenset(), True)
KEPT = 64
"""Games whose sums are kept, since every measured outcome asks for them."""


@define
class Sums:
    """The stones of a game as sums of qubits.

    S± and D± make a new qubit, the choice between their points. X adds 1. C adds the value of
    its control, or, where stones are copied, a new qubit with that value.

    Args:
        counter: see `Options`.
        copied: whether a stone put by C, or by both halves of E, has a qubit of its own.
        choices: for each qubit, the choices whose sum is its value.
        stones: for each point and colour, the sum that is 1 if the stone is there.
        circuit: gates that prepare the qubits.
    """

    counter: str
    copied: bool
    choices: list[frozenset[int]] = field(factory=list)
    stones: dict[Place, Sum] = field(factory=dict)
    circuit: QuantumCircuit = field(factory=QuantumCircuit)
    _tossed: int = field(default=0, init=False)

    @property
    def qubits(self) -> int:
        """Number of qubits."""
        return len(self.choices)

    def outcome(self, game: BoardGame, measured: int) -> int:
        """Return the board of measured qubits, as `BoardGame` writes outcomes."""
        outcome = 0
        for place, (point, colours) in enumerate(game.touched):
            for colour in colours:
                qubits, odd = self._sum(point, colour)
                value = sum(measured >> qubit & 1 for qubit in qubits) + odd
                outcome |= value % 2 << 2 * place + colour - 1
        return outcome

    def turn(self, before: Position, turn: Turn) -> bool:
        """Take a move and its captures over; return whether that is possible."""
        copies: dict[frozenset[int], Sum] = {}
        for arm in turn.move.acting:
            if not self._arm(before.board.stones, turn.colour, arm, copies):
                return False
        board = moved(before.board, turn.colour, turn.move, self.counter)
        for point in turn.captured:
            self._place(board.stones, turn.colour.other, point)
            board = board.x(turn.colour.other, point)
        return True

    def _place(self, stones: Stones, colour: Stone, point: int) -> None:
        """Add 1 where the other's stone is not."""
        total = ONE
        if (stones[:, point] == colour.other).any():
            total = added(total, self._sum(point, colour.other))
        self._add(point, colour, total)

    def _arm(
        self, stones: Stones, colour: Stone, arm: Arm, copies: dict[frozenset[int], Sum]
    ) -> bool:
        acts, control = stones, ONE
        if arm.control != ALWAYS:
            wanted = asked_stones(self.counter, colour)
            acts = stones[np.isin(stones[:, arm.control], wanted)]
            control = self._control(arm.control, wanted)
        if len(arm.targets) == 2:
            return self._split(acts, colour, arm, control)
        (target,) = arm.targets
        if arm.control == ALWAYS:
            self._place(stones, colour, target)
        elif (acts[:, target] == colour.other).any():
            return False
        else:
            self._add(target, colour, self._copy(control, copies) if self.copied else control)
        return True

    def _control(self, point: int, wanted: Sequence[Stone]) -> Sum:
        """Return the sum that is 1 where a point has one of some stones."""
        control = NOTHING
        for stone in (Stone.BLACK, Stone.WHITE):
            if stone in wanted or Stone.EMPTY in wanted:
                control = added(control, self._sum(point, stone))
        return self._least(added(control, ONE) if Stone.EMPTY in wanted else control)

    def _least(self, total: Sum) -> Sum:
        """Return a sum that always has the same value, of one qubit or none where there is one."""
        qubits, odd = total
        value = self._value(qubits)
        if not value:
            return frozenset(), odd
        same = (qubit for qubit, choices in enumerate(self.choices) if choices == value)
        qubit = next(same, None)
        return total if qubit is None else (frozenset({qubit}), odd)

    def _value(self, qubits: Iterable[int]) -> frozenset[int]:
        """Return the choices that a sum of qubits is the sum of."""
        return reduce(xor, (self.choices[qubit] for qubit in qubits), frozenset())

    def _copy(self, control: Sum, copies: dict[frozenset[int], Sum]) -> Sum:
        """Return a new qubit that has the value of a sum; a constant sum needs none.

        Args:
            control: the sum.
            copies: those of the same move, by their values: where one arm acts exactly if the
                other does not, a stone is put on one of two points, and one qubit says on which.
        """
        qubits, odd = control
        value = self._value(qubits)
        if not value:
            return control
        if value not in copies:
            copies[value] = self._new(value)
            (copy,) = copies[value][0]
            for qubit in sorted(qubits):
                self.circuit.cx(qubit, copy)
        return added(copies[value], (frozenset(), odd))

    def _split(self, acts: Stones, colour: Stone, arm: Arm, control: Sum) -> bool:
        """Make a choice where a control holds, and put a stone on one of two points by it."""
        if acts[:, arm.targets].any():
            return False
        gathered, odd = self._gathered(control), control[1]
        choice = self._new(frozenset({self._tossed}))
        (qubit,) = choice[0]
        self._tossed += 1
        # |0⟩ becomes (|1⟩ ± |0⟩)/√2: a Hadamard gate, or a controlled one, which is one CZ.
        angle = pi / 4 if arm.sign > 0 else 3 * pi / 4
        if gathered is None:
            reflect(self.circuit, qubit, angle)
        else:
            with flipped(self.circuit, [gathered] * odd):
                reflect_if(self.circuit, gathered, qubit, angle)
            control = (frozenset({gathered}), odd)
        first, second = arm.targets
        self._add(first, colour, choice)
        self._add(second, colour, added(choice, control))
        return True

    def _gathered(self, control: Sum) -> int | None:
        """Return the qubit that holds a sum; None for a sum without qubits.

        Qubits that are added to another one keep their values. All sums are updated.
        """
        qubits, _ = control
        if not qubits:
            return None
        *others, target = sorted(qubits)
        for other in others:
            self.circuit.cx(other, target)
        self.choices[target] = self._value(qubits)
        remaining = frozenset(others)
        for place, (parts, odd) in self.stones.items():
            if target in parts:
                self.stones[place] = (parts ^ remaining, odd)
        return target

    def _new(self, value: frozenset[int]) -> Sum:
        """Return a new qubit in |0⟩ that is going to have the value of some choices."""
        self.circuit.add_bits([Qubit()])
        self.choices.append(value)
        return frozenset({self.circuit.num_qubits - 1}), False

    def _sum(self, point: int, colour: Stone) -> Sum:
        return self.stones.get((point, colour), NOTHING)

    def _add(self, point: int, colour: Stone, what: Sum) -> None:
        self.stones[point, colour] = added(self._sum(point, colour), what)


def added(first: Sum, other: Sum) -> Sum:
    """Return one sum plus the other, mod 2."""
    return first[0] ^ other[0], first[1] ^ other[1]


@lru_cache(KEPT)
def sums_of(game: BoardGame, copied: bool) -> Sums | None:
    """Return a game as sums; None if it has stones that are none, or nothing is chosen.

    Args:
        game: all of whose moves are gates.
        copied: see `Sums`.
    """
    sums = Sums(game.options.counter, copied)
    for before, after in pairwise(game.positions):
        if not sums.turn(before, after.turns[-1]):
            return None
    return sums if sums.qubits else None
