"""Operators of hands whose cards are named by their rank: the play of a card, and the trick."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import pi

from qiskit import QuantumCircuit
from qiskit.circuit import Qubit

from compiler.synthesis.method import (
    CountedMethod,
    Operator,
    SynthesisMethod,
    example,
    operator,
    synthesis_method,
)
from games.trick_taking.operators.list_play import uniform_index


@operator("rank_play")
class RankPlay(Operator):
    """A seat plays each of its k hand cards at once; a rank names the card.

    k ≥ 2: |0…0⟩ → Σ_{r<k} |r⟩ / √k, so that every card is played with equal amplitude.
    k = 1: the identity, on the rank bit of a hand that had two cards: it already names the
    remaining card.

    Phases are branch phases.

    Operands: `rank` (⌈log₂ k⌉ bits, low bit first; 1 for k = 1). No other qubit is needed:
    each rank names one of the seat's cards in every hand.

    Cost: none where k is a power of two, 1 for k = 3.

    Args:
        hand: k, cards in the seat's hand, 1 or more.
    """

    exact_phases = False
    examples = (
        example("CP_2^2, rank bit", 2),
        example("CP_1^2, rank bit", 1),
        example("CP_3^9, rank", 3),
        example("CP_6^18, rank", 6),
    )

    def __init__(self, hand: int) -> None:
        self.hand = hand
        super().__init__(rank_bits(hand) or 1, [hand])

    def legal_inputs(self) -> Iterator[int]:
        """Yield |0…0⟩ before a play that is a choice; both ranks before the last one."""
        yield from range(2 if self.hand == 1 else 1)

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return all ranks for a choice, the same rank for the last card."""
        if self.hand == 1:
            return {basis_state: Fraction(1)}
        return dict.fromkeys(range(self.hand), Fraction(1, self.hand))


def rank_bits(hand: int) -> int:
    """Return the bits that say which of `hand` cards is played."""
    return (hand - 1).bit_length()


@synthesis_method("rank_play.coin")
class RankCoin(CountedMethod):
    """Qiskit plugin `rank_play.coin`: a coin for each bit of the rank, the same for every hand.

    A bit depends on the ones above it only where not all ranks below 2^bits exist, so that
    powers of two take one Hadamard a bit; the last card takes nothing.
    """

    def build(self, hand: int) -> QuantumCircuit:
        """Return the circuit on the rank's qubits."""
        bits = rank_bits(hand)
        circuit = QuantumCircuit(max(1, bits))
        if hand == 1 << bits:
            for bit in range(bits):
                circuit.h(bit)
        else:
            uniform_index(circuit, range(bits), hand)
        return circuit


CARDS = 4


@operator("rank_trick")
class RankTrick(Operator):
    """Marks the winner of a trick between two seats that were dealt two of four cards each.

    *The holder* is the seat that was dealt card 0, the strongest. Operands:

    - `owner` (4): the seat that each card was dealt to, strongest card first; two cards each;
    - `rank` (2): bit 0 is 1 if the holder plays its lower card first, bit 1 is 1 if the other
      seat plays the lower one against a higher, or the higher one against a lower;
    - `taken` (2): bit k is 1 if trick k is taken by the other seat, 0 if by the holder.

    A permutation up to branch phases that changes `taken` only:

        trick 0: |owner, rank, 0, 0⟩ → |owner, rank, w₀, w₀ ⊕ w₁⟩,
        trick 1: |owner, rank, w₀, w₀ ⊕ w₁⟩ → |owner, rank, w₀, w₁⟩,

    where w_k is 1 if the other seat's card in trick k is the stronger one. In between the
    second qubit says whether the tricks are split: the last cards being forced, that is known
    once two cards lie on the table, and it makes both comparisons cheap.

    Args:
        trick: 0 for the first trick, 1 for the last one.
    """

    exact_phases = False
    examples = (
        example("TT_2^4, rank bits, first trick", 0),
        example("TT_2^4, rank bits, last trick", 1),
    )

    def __init__(self, trick: int) -> None:
        self.trick = trick
        super().__init__(CARDS + 4, [trick])

    def legal_inputs(self) -> Iterator[int]:
        """Yield every deal with every choice of ranks, as the steps before leave them."""
        for theirs in combinations(range(CARDS), 2):
            owners = sum(1 << card for card in theirs)
            for rank in product((0, 1), repeat=2):
                dealt = owners | rank[0] << CARDS | rank[1] << (CARDS + 1)
                yield dealt if self.trick == 0 else _split(dealt)

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the one output that a legal input is mapped to."""
        dealt = basis_state & ((1 << (CARDS + 2)) - 1)
        first, second = _winners(dealt)
        output = _split(dealt) if self.trick == 0 else _with_taken(dealt, first, second)
        return {output: Fraction(1)}


def cards_played(owners: Sequence[int], rank: Sequence[int], trick: int) -> tuple[int, int]:
    """Return the cards that lie on the table in a trick.

    Args:
        owners: the seat that each of four cards was dealt to, two cards each.
        rank: the two rank bits; see `RankTrick`.
        trick: 0 or 1.

    Returns:
        The holder's card and the other seat's; the lower number is the stronger card.
    """
    holders = [card for card, owner in enumerate(owners) if owner == owners[0]]
    others = [card for card, owner in enumerate(owners) if owner != owners[0]]
    return holders[rank[0] ^ trick], others[rank[0] ^ rank[1] ^ trick]


def _winners(dealt: int) -> tuple[int, int]:
    owners = [dealt >> card & 1 for card in range(CARDS)]
    rank = [dealt >> CARDS & 1, dealt >> (CARDS + 1) & 1]
    (holders, others), (holders_last, others_last) = (
        cards_played(owners, rank, trick) for trick in range(2)
    )
    return int(others < holders), int(others_last < holders_last)


def _split(dealt: int) -> int:
    first, second = _winners(dealt)
    return _with_taken(dealt, first, first ^ second)


def _with_taken(dealt: int, first: int, second: int) -> int:
    return dealt | first << (CARDS + 2) | second << (CARDS + 3)


def append_ladder(
    circuit: QuantumCircuit, target: Qubit, controls: Sequence[Qubit], angles: Sequence[float]
) -> None:
    """Append Ry(a₀) CZ(c₁) Ry(a₁) … CZ(c_L) Ry(a_L) on a qubit in |0⟩.

    A CZ whose control is 1 flips the sign of every earlier angle, because Z·Ry(a)·Z = Ry(−a).
    So on controls in a basis state the target is turned by

        θ = Σₜ aₜ · (−1)^(c_{t+1} ⊕ … ⊕ c_L),

    up to a sign of the whole state: to |0⟩ where θ ≡ 0 and to |1⟩ where θ ≡ π (mod 2π).

    Args:
        circuit: circuit to append to.
        target: a qubit in |0⟩.
        controls: the control of each CZ, in order; a qubit may come up again.
        angles: angles of the Ry gates, in radians, one more than controls.
    """
    circuit.ry(angles[0], target)
    for control, angle in zip(controls, angles[1:], strict=True):
        circuit.cz(control, target)
        circuit.ry(angle, target)


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

    def two_qubit_gates(self, trick: int) -> int | None:
        """Return 5 + 3 for trick 0, 1 for trick 1."""
        return 8 if trick == 0 else 1

    def build(self, trick: int) -> QuantumCircuit:
        """Return the circuit on `owner` (4), `rank` (2) and `taken` (2)."""
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
