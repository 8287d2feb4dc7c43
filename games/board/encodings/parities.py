"""A qubit for each choice between two points: stones are sums of choices."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from math import pi

import numpy as np
from attrs import define, field, frozen
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from compiler.synthesis.givens import reflect, reflect_if
from games.board.encodings.points import is_unitary
from games.board.game import BoardGame
from games.board.rules.gates import asked_stones, moved
from games.board.rules.moves import Arm, Kind
from games.board.rules.position import Position, Turn
from games.board.rules.superposition import Stone, Stones
from games.encoding import Encoding, encoding

Sum = tuple[frozenset[int], bool]
"""Qubits whose values are added mod 2, and whether 1 is added."""

Place = tuple[int, Stone]
NOTHING: Sum = (frozenset(), False)
KEPT = 64
"""Games whose sums are kept, since every measured outcome asks for them."""


@encoding("parities")
class Parities(Encoding[BoardGame]):
    """Register `choices`: qubit i is the i-th choice that S± or D± makes between two points.

    A stone is where a sum of choices mod 2 is 1, so that X, S±, C and E cost no two-qubit gate:
    X adds 1, S± makes a new choice k and puts k on one point and 1 + k on the other, and C adds
    what is at its control. D± makes a choice only where its control holds: one two-qubit gate.

    Measured boards are as likely as on two qubits a point, and the state is the same one but for
    qubits that are sums of others. A Hadamard gate would have to be given a qubit of its own, so
    S± and D± are for points that are empty wherever they act.
    """

    family = BoardGame
    small = True

    def supports(self, game: BoardGame) -> bool:
        """Tell whether stones are sums of choices, and there is one."""
        return bool(game.touched) and is_unitary(game) and _written(game) is not None

    def rank(self, game: BoardGame) -> int:
        """Return 1: after the board itself."""
        return 1

    def program(self, game: BoardGame) -> QuantumCircuit:
        """Return the choices and their measurements."""
        written = _written(game)
        assert written is not None
        choices = QuantumRegister(written.qubits, "choices")
        bits = ClassicalRegister(written.qubits, "choices")
        circuit = QuantumCircuit(choices, bits, name=game.name)
        circuit.compose(written.circuit(), choices, inplace=True)
        circuit.measure(choices, bits)
        return circuit

    def outcome(self, game: BoardGame, measured: int) -> int:
        """Return the board of measured choices."""
        written = _written(game)
        assert written is not None
        values = written.values(measured)
        return sum(
            values.get((point, colour), False) << 2 * place + colour - 1
            for place, (point, colours) in enumerate(game.touched)
            for colour in colours
        )


@define
class _Sums:
    """The stones of a game as sums, and the choices that they are sums of.

    Args:
        counter: see `Options`.
        qubits: how many choices there are.
        stones: for each point and colour the sum that says whether it is there.
        gates: that make the choices.
    """

    counter: str
    qubits: int = 0
    stones: dict[Place, Sum] = field(factory=dict)
    gates: list["_Gate"] = field(factory=list)

    def values(self, measured: int) -> Mapping[Place, bool]:
        """Return which stones there are with measured choices, bit i being choice i."""
        return {
            place: (sum(measured >> qubit & 1 for qubit in qubits) + one) % 2 == 1
            for place, (qubits, one) in self.stones.items()
        }

    def circuit(self) -> QuantumCircuit:
        """Return the gates that make the choices."""
        circuit = QuantumCircuit(self.qubits)
        for gate in self.gates:
            gate.append_to(circuit)
        return circuit

    def turn(self, before: Position, turn: Turn) -> bool:
        """Take a move and its captures over; return whether that was possible."""
        stones, move = before.board.stones, turn.move
        if move.kind is Kind.PLACE:
            self._place(stones, turn.colour, move.points[0])
        elif move.kind is Kind.SUPERPOSE:
            arm = Arm(-1, move.points, move.sign)
            if not self._split(stones, turn.colour, arm, (frozenset(), True)):
                return False
        for arm in reversed(move.arms):
            if not self._counter(stones, turn.colour, arm):
                return False
        board = moved(before.board, turn.colour, move, self.counter)
        for point in turn.captured:
            self._place(board.stones, turn.colour.other, point)
            board = board.x(turn.colour.other, point)
        return True

    def _place(self, stones: Stones, colour: Stone, point: int) -> None:
        """Add 1 where the other's stone is not."""
        one: Sum = (frozenset(), True)
        if (stones[:, point] == colour.other).any():
            one = _added(one, self._sum(point, colour.other))
        self._add(point, colour, one)

    def _counter(self, stones: Stones, colour: Stone, arm: Arm) -> bool:
        asked = asked_stones(self.counter, colour)
        acts = stones[np.isin(stones[:, arm.control], asked)]
        control = NOTHING
        for stone in (Stone.BLACK, Stone.WHITE):
            if stone in asked or Stone.EMPTY in asked:
                control = _added(control, self._sum(arm.control, stone))
        if Stone.EMPTY in asked:
            control = _added(control, (frozenset(), True))
        if len(arm.targets) == 2:
            return self._split(acts, colour, arm, control)
        (target,) = arm.targets
        if (acts[:, target] == colour.other).any():
            return False
        self._add(target, colour, control)
        return True

    def _split(self, acts: Stones, colour: Stone, arm: Arm, control: Sum) -> bool:
        """Make a choice where a control holds, and put a stone on one of two points by it."""
        if acts[:, arm.targets].any():
            return False
        choice: Sum = (frozenset({self.qubits}), False)
        asked = self._gathered(control)
        self.gates.append(_Choice(self.qubits, asked, control[1], arm.sign))
        self.qubits += 1
        first, second = arm.targets
        control = control if asked is None else (frozenset({asked}), control[1])
        self._add(first, colour, choice)
        self._add(second, colour, _added(choice, control))
        return True

    def _gathered(self, control: Sum) -> int | None:
        """Return the qubit that holds a sum; None if it holds no qubit at all.

        Qubits that are added to another stay what they are, and all sums are written anew.
        """
        qubits, _ = control
        if not qubits:
            return None
        *others, asked = sorted(qubits)
        for other in others:
            self.gates.append(_Add(other, asked))
        rest = frozenset(others)
        for place, (parts, one) in self.stones.items():
            if asked in parts:
                self.stones[place] = (parts ^ rest, one)
        return asked

    def _sum(self, point: int, colour: Stone) -> Sum:
        return self.stones.get((point, colour), NOTHING)

    def _add(self, point: int, colour: Stone, what: Sum) -> None:
        self.stones[point, colour] = _added(self._sum(point, colour), what)


@frozen
class _Add:
    """Adds a qubit to another."""

    source: int
    target: int

    def append_to(self, circuit: QuantumCircuit) -> None:
        """Append one CX."""
        circuit.cx(self.source, self.target)


@frozen
class _Choice:
    """Turns |0⟩ to (|1⟩ ± |0⟩)/√2 where a qubit has a value, everywhere if there is none.

    Args:
        qubit: which is turned.
        asked: the control.
        inverted: whether it must be 0.
        sign: of |0⟩.
    """

    qubit: int
    asked: int | None
    inverted: bool
    sign: int

    def append_to(self, circuit: QuantumCircuit) -> None:
        """Append a Hadamard gate, or a controlled one, which is one CZ."""
        angle = pi / 4 if self.sign > 0 else 3 * pi / 4
        if self.asked is None:
            reflect(circuit, self.qubit, angle)
            return
        if self.inverted:
            circuit.x(self.asked)
        reflect_if(circuit, self.asked, self.qubit, angle)
        if self.inverted:
            circuit.x(self.asked)


_Gate = _Add | _Choice


def _added(one: Sum, other: Sum) -> Sum:
    return one[0] ^ other[0], one[1] ^ other[1]


@lru_cache(KEPT)
def _written(game: BoardGame) -> _Sums | None:
    """Return a game as sums; None if it has stones that are none, or nothing is chosen."""
    sums = _Sums(game.options.counter)
    for before, after in pairwise(game.positions):
        if not sums.turn(before, after.turns[-1]):
            return None
    return sums if sums.qubits else None
