"""Tricks of two seats with two cards each, compared onto fresh qubits by two short ladders."""

from math import pi

from qiskit import QuantumCircuit

from compiler.synthesis.method import SynthesisMethod
from compiler.synthesis.rank_ladder import append_ladder


class TwoLadders(SynthesisMethod):
    """Qiskit plugin `rank_trick.ladders`: 8 two-qubit gates for trick 0 and 1 for trick 1.

    Write p₀…p₃ for the owners, u and x for the ranks, and (−1)^q in capitals: X for x,
    B = (−1)^(p₀⊕p₂), C = (−1)^(p₀⊕p₃). Of B = 1 (card 2 is the holder's second one), C = 1
    (card 3 is) and B = C = −1 (card 1 is) one holds.

    *Split*: the two tricks go to different seats if card 3 is the holder's second one, never
    if card 1 is, and if card 2 is, exactly for x = 1. A ladder of five CZ turns by

        θ = 3π/4 + (π/2)·(P₀ + P₃·X) + (π/4)·(B + X + 3·B·X),

    where p₁ ⊕ p₃ = p₀ ⊕ p₂ has been used. Because P₀ and P₃·X are signs, the second term is
    (π/2)·(1 + C·X) modulo 2π; so θ ≡ π for C = 1, 0 for B = C = −1, and for B = 1
    θ ≡ 3π/2 + (π/2)·X, which is π exactly for x = 1.

    *First trick*: if the tricks are split, the holder loses it exactly if it plays its lower
    card first. So it goes to the other seat if split ∧ u: a ladder of three CZ with
    θ = (π/4)·(1 − U)·(1 − D), where D = (−1)^split.

    *Second trick*: its winner is the other one if the tricks are split: one CX onto `split`.
    """

    def two_qubit_gates(self, *params: int) -> int | None:
        """Return 5 + 3 for trick 0, 1 for trick 1."""
        (trick,) = params
        return 8 if trick == 0 else 1

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on `owner` (4), `rank` (2) and `taken` (2)."""
        (trick,) = params
        circuit = QuantumCircuit(8)
        *owner, lower, crossed, first, second = circuit.qubits
        if trick == 1:
            circuit.cx(first, second)
            return circuit
        append_ladder(
            circuit,
            second,
            [owner[3], owner[1], crossed, owner[2], owner[0]],
            [pi / 4, pi / 2, 3 * pi / 4, pi / 4, pi / 2, 3 * pi / 4],
        )
        append_ladder(circuit, first, [lower, second, lower], [-pi / 4, pi / 4, -pi / 4, pi / 4])
        return circuit
