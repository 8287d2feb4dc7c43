"""A qubit for each choice, and a flag qubit for each colour that may have five in a row."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from attrs import frozen
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from compiler.measurement import final_measurements
from games.board.coins import Coins, Lying, lines_of_five, lying_stones
from games.board.encodings.points import COLOURS, TouchedPoints, is_unitary, stones_with_qubits
from games.board.encodings.sums import Sum, Sums, sums_of
from games.board.game import BoardGame
from games.board.operators.building import Control, ancillas_of, flip_if_all
from games.board.rules.superposition import Stone
from games.encoding import Encoding, encoding, measure_registers, with_registers


@encoding("parities")
class Parities(Encoding[BoardGame]):
    """Register `choices`: qubit i is the i-th choice that S± or D± makes between two points.

    A stone is a sum of choices mod 2, so X, S±, C and E cost no two-qubit gate. X adds 1. S±
    makes a new choice k and puts k on one point and 1 + k on the other. C adds the value of its
    control. D± makes a choice only where its control holds: one two-qubit gate.

    Measured boards have the same distribution as with two qubits per point. The states differ
    only by qubits that are sums of others. A Hadamard gate would need a qubit of its own, so S±
    and D± require points that are empty wherever they act.
    """

    place = 2
    family = BoardGame
    small = True
    register = "choices"
    copied = False

    def supports(self, game: BoardGame) -> bool:
        """Return whether the stones are sums of choices, and the game has a touched point."""
        return bool(game.touched) and is_unitary(game) and sums_of(game, self.copied) is not None

    def program(self, game: BoardGame) -> QuantumCircuit:
        """Return the gates that make the qubits, and their measurements."""
        sums = self._sums(game)
        circuit = with_registers(game.name, {self.register: sums.qubits})
        circuit.compose(sums.circuit, circuit.qubits, inplace=True)
        return measure_registers(circuit)

    def outcome(self, game: BoardGame, measured: int) -> int:
        """Return the board of measured qubits."""
        return self._sums(game).outcome(game, measured)

    def _sums(self, game: BoardGame) -> Sums:
        result = sums_of(game, self.copied)
        assert result is not None
        return result


@encoding("stones")
class QuantumStones(Parities):
    """Register `stones`: one qubit for each stone whose point a move leaves open.

    A determined stone has no qubit: a stone that lies on its point in every game, or the second
    of two points of which exactly one has the stone. So X and S± cost nothing. C costs one CX to
    copy its control, and so does E if its controls are two such points. D± makes a choice where
    its control holds, one CZ. E, T± and F±± with other controls cost two of these.

    Sums of these qubits, as in `parities`, represent a captured stone (X on its point in all
    games) and a stone put where another one lies in other games. Measured boards have the same
    distribution as with two qubits per point.
    """

    place = 0
    register = "stones"
    copied = True


MAX_TERMS = 256


@frozen
class Term:
    """A conjunction.

    Args:
        coins: required outcomes of the coins.
        points: points whose stones all lie there exactly then.
    """

    coins: Coins
    points: frozenset[int]


def shortest(lines: Mapping[tuple[int, ...], Coins]) -> list[Term]:
    """Return lines of five, without those implied by a shorter conjunction.

    Args:
        lines: the points of each, and with which coins their stones are all there.
    """
    by_coins: dict[Coins, frozenset[int]] = {}
    for line, coins in lines.items():
        by_coins.setdefault(coins, frozenset(line))
    return [
        Term(coins, points)
        for coins, points in by_coins.items()
        if not any(other < coins for other in by_coins)
    ]


def exclusive(terms: Iterable[Term]) -> list[Term] | None:
    """Return terms whose sum mod 2 is 1 where any of the given ones holds; None if too many.

    Of two it is A + B + AB; terms that contradict themselves vanish, and so do equal ones.
    """
    by_coins: dict[Coins, frozenset[int]] = {}
    for term in terms:
        more = [(term.coins, term.points)]
        for coins, points in by_coins.items():
            if not any((coin, not side) in coins for coin, side in term.coins):
                more.append((coins | term.coins, points | term.points))
        for coins, points in more:
            if coins in by_coins:
                del by_coins[coins]
            else:
                by_coins[coins] = points
        if len(by_coins) > MAX_TERMS:
            return None
    return [Term(coins, points) for coins, points in by_coins.items()]


KEPT = 64


class Flagged(Encoding[BoardGame]):
    """Registers of another encoding; `flags`, black's first; and `work`, clean before and after.

    A flag is 1 in the games in which its colour has five in a row. It is written coherently, and
    all intermediate results are uncomputed. A line is complete where some coins have fallen in
    some way (`games.board.coins`), so a flag is a disjunction of conjunctions. The circuit is the
    cheaper of two: a sum mod 2 of conjunctions, or one ancilla per conjunction and an OR.

    A measured flag that contradicts the measured board is illegal. Colours that have no line in
    any game get no flag.
    """

    family = BoardGame
    board: Encoding[BoardGame]

    def supports(self, game: BoardGame) -> bool:
        """Return whether a colour may have five in a row and coins determine the stones."""
        return (
            game.rules.name == "five-in-a-row"
            and game.options.targets == "every"
            and game.options.counter == "opponent"
            and self.board.supports(game)
            and bool(_lines(game))
        )

    def rank(self, game: BoardGame) -> int:
        """Return 10: more than a board is measured."""
        return 10 + self.board.rank(game)

    def program(self, game: BoardGame) -> QuantumCircuit:
        """Return the moves, the flags, and the measurements of board and flags."""
        measured = self.board.program(game)
        gates, _ = final_measurements(measured)
        board = list(range(gates.num_qubits))
        operators = [
            _flag(lines, self.sums_for(game, stones), gates.num_qubits)
            for stones, lines in _lines(game).values()
        ]
        flags = QuantumRegister(len(operators), "flags")
        bits = ClassicalRegister(len(operators), "flags")
        registers = [*gates.qregs, flags]
        if work := max(flag.num_qubits for flag in operators) - len(board) - 1:
            registers.append(QuantumRegister(work, "work"))
        circuit = QuantumCircuit(*registers, *measured.cregs, bits, name=game.name)
        circuit.compose(gates, circuit.qubits[: len(board)], inplace=True)
        after = circuit.qubits[len(board) + len(operators) :]
        for place, flag in enumerate(operators):
            on = [*circuit.qubits[: len(board)], flags[place], *after]
            circuit.compose(flag, on[: flag.num_qubits], inplace=True)
        for item in measured.data:
            if item.operation.name == "measure":
                circuit.append(item)
        circuit.measure(flags, bits)
        return circuit

    def outcome(self, game: BoardGame, measured: int) -> int | None:
        """Return the board of measured bits, None if a flag contradicts it."""
        colours = _lines(game)
        bits = _board_bits(self.board, game)
        board = self.board.outcome(game, measured & (1 << bits) - 1)
        if board is None:
            return None
        flags = [bool(measured >> bits + place & 1) for place in range(len(colours))]
        right = flags == [game.has_five(colour, board) for colour in colours]
        return board if right else None

    @abstractmethod
    def sums_for(self, game: BoardGame, stones: Mapping[int, Lying]) -> Callable[[Term], list[Sum]]:
        """Return a function that says of a term which sums of qubits all are 1 where it holds."""


class FlaggedSums(Flagged):
    """Stones are sums of qubits: a line is five equations, of which some follow from others."""

    board: Parities

    def sums_for(self, game: BoardGame, stones: Mapping[int, Lying]) -> Callable[[Term], list[Sum]]:
        """Return for each term equations that are independent of one another."""
        sums = sums_of(game, self.board.copied)
        assert sums is not None
        return lambda term: independent(
            [sums.stones[point, stones[point].colour] for point in sorted(term.points)]
        )


@encoding("stones-five")
class FlaggedStones(FlaggedSums):
    """The encoding `stones` with flags; see `Flagged`."""

    board = QuantumStones()


@encoding("parities-five")
class FlaggedParities(FlaggedSums):
    """The encoding `parities` with flags; see `Flagged`."""

    board = Parities()


@encoding("points-five")
class FlaggedPoints(Flagged):
    """The encoding `points` with flags; see `Flagged`.

    A line's condition uses only the stones that are needed to fix its coins; see `deciding`.
    """

    board = TouchedPoints()

    def sums_for(self, game: BoardGame, stones: Mapping[int, Lying]) -> Callable[[Term], list[Sum]]:
        """Return for each term the qubits of the stones that decide it."""
        places = stones_with_qubits(game)
        return lambda term: [
            (frozenset({places.index((point, stones[point].colour))}), False)
            for point in deciding(term, stones)
        ]


def deciding(term: Term, stones: Mapping[int, Lying]) -> list[int]:
    """Return points of a term that are all there exactly where it holds, as few as easily seen.

    Args:
        term: some stones.
        stones: all that lie on the board.
    """
    result: list[int] = []
    left = term.coins
    while left:
        point = max(sorted(term.points), key=lambda point_: len(stones[point_].coins & left))
        result.append(point)
        left -= stones[point].coins
    return result


def independent(sums: Sequence[Sum]) -> list[Sum]:
    """Return sums that are all 1 where the given ones are, each with a qubit that no other has.

    All of the given sums can be 1 at the same time.
    """
    rows: list[Sum] = []
    for qubits, odd in sums:
        # Written as equations: the qubits add up to 1, or to 0 where 1 is added.
        row, wanted = qubits, not odd
        for pivots, other in rows:
            if min(pivots) in row:
                row, wanted = row ^ pivots, wanted ^ (not other)
        if not row:
            continue
        pivot = min(row)
        rows = [
            (pivots ^ row, other ^ wanted) if pivot in pivots else (pivots, other)
            for pivots, other in rows
        ]
        rows.append((row, not wanted))
    return rows


def _flag(
    lines: Sequence[Term], sums_for: Callable[[Term], list[Sum]], qubits: int
) -> QuantumCircuit:
    """Return the cheaper circuit on a board's qubits, a flag that is |0⟩, and clean ancillas."""
    candidates = [_any([*map(sums_for, lines)], qubits)]
    if (apart := exclusive(lines)) is not None:
        candidates.append(_sum([*map(sums_for, apart)], qubits))
    return min(candidates, key=lambda option: (price(option), option.num_qubits))


def price(circuit: QuantumCircuit) -> int:
    """Return the two-qubit gates of a circuit of these and Toffolis, of six each."""
    return sum({2: 1, 3: 6}.get(len(item.qubits), 0) for item in circuit.data)


def _sum(terms: Sequence[Sequence[Sum]], flag: int) -> QuantumCircuit:
    """Add one conjunction after the other to the flag."""
    work = max((ancillas_of(len(term)) for term in terms), default=0)
    circuit = QuantumCircuit(flag + 1 + work)
    for place, term in enumerate(sorted(terms, key=len, reverse=True)):
        _conjunction(circuit, term, flag, range(flag + 1, flag + 1 + work), fresh=not place)
    return circuit


def _any(lines: Sequence[Sequence[Sum]], flag: int) -> QuantumCircuit:
    """Write each line into an ancilla, and whether any is 1 into the flag."""
    ancillas = range(flag + 1, flag + 1 + len(lines))
    work = max(ancillas_of(len(lines)), *(ancillas_of(len(line)) for line in lines), 0)
    free = range(ancillas.stop, ancillas.stop + work)
    each = QuantumCircuit(free.stop)
    for line, ancilla in zip(lines, ancillas, strict=True):
        _conjunction(each, line, ancilla, free, fresh=True)
    circuit = each.copy()
    flip_if_all(circuit, [(ancilla, 0) for ancilla in ancillas], flag, free, fresh=True)
    circuit.x(flag)
    circuit.compose(each.inverse(), inplace=True)
    return circuit


def _conjunction(
    circuit: QuantumCircuit, sums: Sequence[Sum], target: int, work: range, *, fresh: bool
) -> None:
    """Append X on a target where all of some independent sums are 1."""
    gather = QuantumCircuit(circuit.num_qubits)
    controls: list[Control] = []
    for qubits, odd in sums:
        # No other sum has it, so that it may hold this one for a while.
        (holder, *_) = alone = [q for q in sorted(qubits) if sum(q in s for s, _ in sums) == 1]
        assert alone
        for qubit in sorted(qubits - {holder}):
            gather.cx(qubit, holder)
        controls.append((holder, int(not odd)))
    circuit.compose(gather, inplace=True)
    flip_if_all(circuit, controls, target, work, fresh=fresh)
    circuit.compose(gather.inverse(), inplace=True)


@lru_cache(KEPT)
def _lines(game: BoardGame) -> dict[Stone, tuple[Mapping[int, Lying], list[Term]]]:
    """Return for each colour that may have five all stones, and its lines."""
    stones = lying_stones(game.position.turns)
    result = {}
    for colour in COLOURS:
        if lines := lines_of_five(stones, colour, game.size):
            result[colour] = (stones, shortest(lines))
    return result


@lru_cache(KEPT)
def _board_bits(board: Encoding[BoardGame], game: BoardGame) -> int:
    return board.program(game).num_clbits
