"""A qubit for each choice between two points: stones are sums of choices."""

from collections.abc import Iterable, Mapping

from attrs import frozen
from qiskit import QuantumCircuit

from games.board.coins import Coins
from games.board.encodings.points import is_unitary
from games.board.encodings.sums import Sums, sums_of
from games.board.game import BoardGame
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
