"""A qubit for each stone that lies on one of several points."""

from games.board.encodings.parities import Parities
from games.board.game import BoardGame
from games.encoding import encoding


@encoding("stones")
class QuantumStones(Parities):
    """Register `stones`: a qubit for each stone that a move puts here or there.

    What is determined has none: a stone that lies on its point in every game, and, where a stone
    lies on exactly one of two points, the second of them. So X and S± cost nothing; C, and E
    whose controls are two such points, copy what is asked, one CX; D± makes a choice where its
    control holds, one CZ. E, T± and F±± of other controls are two of these.

    A captured stone (X on its point in all games) and a stone that is put where another one lies
    in other games are sums of these qubits, as in `parities`. Measured boards are as likely as on
    two qubits a point.
    """

    register = "stones"
    copied = True

    def rank(self, game: BoardGame) -> int:
        """Return 0: every stone is measured, and none twice."""
        return 0
