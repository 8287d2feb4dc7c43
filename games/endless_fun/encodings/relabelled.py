"""Rounds at their lowest cost that still plays the cards."""

from functools import lru_cache

from qiskit import QuantumCircuit

from games.encoding import Encoding, encoding
from games.endless_fun.encodings.fused import fused
from games.endless_fun.encodings.lanes import Written, written
from games.endless_fun.game import EndlessRound
from games.endless_fun.rules.round import Round

KEPT = 64
"""Rounds whose circuits are kept, since every measured outcome asks for the last codes."""


@encoding("relabelled")
class Relabelled(Encoding[EndlessRound]):
    """Register `qutrits`: qubits 2i and 2i+1 are lane i, low bit first; `qubits` in 2D: lane i.

    Swaps and cards that move levels change which lane and which words a qudit has, and take no
    gate. Cards on one qutrit are fused, and what is known of a qutrit that nothing was entangled
    with is used. What is measured is read by the last lanes and words.
    """

    family = EndlessRound
    small = True

    def supports(self, game: EndlessRound) -> bool:
        """Tell that every round can be encoded so."""
        return True

    def rank(self, game: EndlessRound) -> int:
        """Return 0: the default."""
        return 0

    def program(self, game: EndlessRound) -> QuantumCircuit:
        """Return the round with measurements of all lanes."""
        circuit = _written(game.round).circuit.copy()
        circuit.name = game.name
        return circuit

    def outcome(self, game: EndlessRound, measured: int) -> int | None:
        """Return the values of all qudits."""
        values = _written(game.round).values(measured)
        return None if values is None else game.outcome_of(values)


@lru_cache(KEPT)
def _written(played: Round) -> Written:
    return written(fused(played), "round")
