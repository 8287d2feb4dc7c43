"""Tricks of two seats with two cards each, compared onto fresh qubits by two short ladders."""

from math import pi

from qiskit import QuantumCircuit

from compiler.synthesis.method import SynthesisMethod, synthesis_method
from games.trick_taking.synthesis.rank_ladder import append_ladder


@synthesis_method("rank_trick.ladders")
class TwoLadders(SynthesisMethod):
    """Qiskit plugin `rank_trick.ladders`: 8 two-qubit gates for trick 0 and 1 for trick 1.

    Write p₀…p₃ for the owners, u and x for the ranks, and (−1)^q in capitals: P₀ for p₀, X for
    x. Of A = P₀·P₁, B = P₀·P₂ and C = P₀·P₃ exactly one is 1: it says whether card 1, 2 or 3
    is the holder's second one.

    *Split*: the two tricks go to different seats never for A = 1, always for C = 1, and for
    B = 1 exactly if x = 1. A ladder of five CZ turns by

        θ = π/4 + (π/2)·P₀ + (3π/4)·B + (3π/4)·B·X + (π/2)·B·P₃·X + (π/4)·X,

    and B·P₃ = P₁, because two of the four owners are 1. As P₀ and P₁·X are signs, their terms
    add up to (π/2)·(1 + A·X) modulo 2π. So θ ≡ 0 for A = 1, π for C = 1, and for B = 1
    θ ≡ 3π/2 + (π/2)·X, which is π for x = 1 and 0 for x = 0. No qubit is used twice.

    *First trick*: if the tricks are split, the holder loses it exactly if it plays its lower
    card first. So it goes to the other seat if split ∧ u: a ladder of three CZ with
    θ = (π/4)·(1 − D)·(1 − U), where D = (−1)^split. That begins and ends with `split`, so that
    on a star this qubit can stay in the hub.

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
            [owner[1], owner[3], crossed, owner[2], owner[0]],
            [pi / 4, pi / 2, 3 * pi / 4, 3 * pi / 4, pi / 2, pi / 4],
        )
        append_ladder(circuit, first, [second, lower, second], [-pi / 4, pi / 4, -pi / 4, pi / 4])
        return circuit
