"""Two qubits a point, one for each colour that ever touches it."""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
from attrs import define, field
from qiskit import QuantumCircuit
from qiskit.circuit import Qubit

from games.board.game import BoardGame
from games.board.operators.building import Presence
from games.board.operators.moves import COUNTERS, Counter, Place, Superpose
from games.board.rules.moves import Arm, Kind
from games.board.rules.position import Position, Turn
from games.board.rules.superposition import Stone, Stones, asked_stones, moved
from games.encoding import Encoding, encoding, measure_registers, with_registers

COLOURS = (Stone.BLACK, Stone.WHITE)


@encoding("points")
class TouchedPoints(Encoding[BoardGame]):
    """Registers `black` and `white`: a qubit for each point that a stone of the colour touches.

    They are in the order of the points. The stones that a move cannot meet where it acts are left
    out of its operator, as the exact state before it tells.
    """

    place = 1
    family = BoardGame
    small = True

    def supports(self, game: BoardGame) -> bool:
        """Return whether a stone was put on the board, and every move is a circuit."""
        return bool(game.touched) and is_unitary(game)

    def program(self, game: BoardGame) -> QuantumCircuit:
        """Return the moves and captures in their order, and the measurements of both registers."""
        return _Writer(game).written()

    def outcome(self, game: BoardGame, measured: int) -> int:
        """Return the board of measured bits: black's points first."""
        places = {point: place for place, (point, _) in enumerate(game.touched)}
        return sum(
            (measured >> bit & 1) << 2 * places[point] + colour - 1
            for bit, (point, colour) in enumerate(stones_with_qubits(game))
        )


def stones_with_qubits(game: BoardGame) -> list[tuple[int, Stone]]:
    """Return the points that a stone of each colour touches, in the order of their qubits."""
    return [
        (point, colour)
        for colour in COLOURS
        for point, colours in game.touched
        if colour in colours
    ]


def is_unitary(game: BoardGame) -> bool:
    """Return whether all moves and captures of a game are gates.

    As long as nothing is superposed, all kinds of captures are the same gate, X.
    """
    boards = [position.board for position in game.positions]
    return not any(
        turn.move.kind is Kind.GAME_WISE
        or (
            turn.captured and game.options.captures != "x" and (before.games, after.games) != (1, 1)
        )
        for turn, (before, after) in zip(game.position.turns, pairwise(boards), strict=True)
    )


@define
class _Writer:
    """Writes a game as a circuit.

    Args:
        game: all of it.
        circuit: the circuit so far.
        qubits: qubit of each point and colour.
    """

    game: BoardGame
    circuit: QuantumCircuit = field(init=False)
    qubits: dict[tuple[int, Stone], Qubit] = field(init=False, factory=dict)

    def written(self) -> QuantumCircuit:
        stones = stones_with_qubits(self.game)
        sizes = {c.word: sum(colour is c for _, colour in stones) for c in COLOURS}
        self.circuit = with_registers(self.game.name, sizes)
        self.qubits = dict(zip(stones, self.circuit.qubits, strict=True))
        for before, after in pairwise(self.game.positions):
            self._turn(before, after.turns[-1])
        return measure_registers(self.circuit)

    def _turn(self, before: Position, turn: Turn) -> None:
        stones, move = before.board.stones, turn.move
        match move.kind:
            case Kind.PASS:
                pass
            case Kind.PLACE:
                self._place(stones, turn.colour, move.points[0])
            case Kind.SUPERPOSE:
                self._superpose(stones, turn.colour, move.points, move.sign)
            case _:
                self._counter(stones, turn.colour, move.arms)
        board = moved(before.board, turn.colour, move, self.game.options.counter)
        for point in turn.captured:
            self._place(board.stones, turn.colour.other, point)

    def _place(self, stones: Stones, colour: Stone, point: int) -> None:
        presence = self._met(stones, colour, point)
        self.circuit.append(Place(presence), self._on(colour, [(point, presence)]))

    def _superpose(self, stones: Stones, colour: Stone, points: tuple[int, ...], sign: int) -> None:
        empty = not stones[:, points].any()
        presences = [self._met(stones, colour, point) for point in points]
        on = self._on(colour, zip(points, presences, strict=True))
        self.circuit.append(Superpose(sign, empty, *presences), on)

    def _counter(self, stones: Stones, colour: Stone, arms: tuple[Arm, ...]) -> None:
        counter = self.game.options.counter
        wanted = asked_stones(counter, colour)
        empty, written, on = True, [], []
        # The second arm acts first, as the paper writes products.
        for arm in reversed(arms):
            acts = stones[np.isin(stones[:, arm.control], wanted)]
            empty = empty and not stones[:, arm.targets].any()
            presences = [self._met(acts, colour, target) for target in arm.targets]
            control = self._held(arm.control, colour)
            if counter == "opponent":
                control &= Presence.OTHER
            written.append((arm.sign, control, *presences))
            on += [(arm.control, control), *zip(arm.targets, presences, strict=True)]
        gate = Counter(COUNTERS.index(counter), empty, *written)
        self.circuit.append(gate, self._on(colour, on))

    def _met(self, stones: Stones, colour: Stone, point: int) -> Presence:
        """Return the stones that a move may meet on a point or put there."""
        held = self._held(point, colour)
        if not (stones[:, point] == colour.other).any():
            held &= ~Presence.OTHER
        return held | Presence.OWN

    def _held(self, point: int, colour: Stone) -> Presence:
        """Return for which stones a point has qubits, as a colour calls them."""
        own, other = ((point, stone) in self.qubits for stone in (colour, colour.other))
        return Presence(Presence.OWN * own | Presence.OTHER * other)

    def _on(self, colour: Stone, points: Iterable[tuple[int, Presence]]) -> list[Qubit]:
        """Return the qubits of points, the mover's of each first."""
        return [
            self.qubits[point, stone]
            for point, presence in points
            for stone, held in ((colour, Presence.OWN), (colour.other, Presence.OTHER))
            if presence & held
        ]
