"""A qubit for each choice between two points: stones are sums of choices."""

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from games.board.encodings.points import is_unitary
from games.board.encodings.sums import Sums, sums_of
from games.board.game import BoardGame
from games.encoding import Encoding, encoding


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
    register = "choices"
    copied = False

    def supports(self, game: BoardGame) -> bool:
        """Tell whether stones are sums of choices, and there is one."""
        return bool(game.touched) and is_unitary(game) and sums_of(game, self.copied) is not None

    def rank(self, game: BoardGame) -> int:
        """Return 2: it holds the least of a board."""
        return 2

    def program(self, game: BoardGame) -> QuantumCircuit:
        """Return the gates that make the qubits, and their measurements."""
        sums = self._sums(game)
        qubits = QuantumRegister(sums.qubits, self.register)
        bits = ClassicalRegister(sums.qubits, self.register)
        circuit = QuantumCircuit(qubits, bits, name=game.name)
        circuit.compose(sums.circuit(), qubits, inplace=True)
        circuit.measure(qubits, bits)
        return circuit

    def outcome(self, game: BoardGame, measured: int) -> int:
        """Return the board of measured qubits."""
        return self._sums(game).outcome(game, measured)

    def _sums(self, game: BoardGame) -> Sums:
        found = sums_of(game, self.copied)
        assert found is not None
        return found
