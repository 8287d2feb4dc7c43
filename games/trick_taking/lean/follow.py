"""Following suit with coins by tables, and counts that are measured away."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from qiskit import QuantumCircuit

from compiler.fault_tolerant.clean_pool import CleanPool
from compiler.fault_tolerant.lean_synthesis import lean_syntheses
from compiler.fault_tolerant.table_coins import toss_by_table
from compiler.fault_tolerant.temporary_ands import temporary_and, undo_and
from compiler.synthesis.registers import split
from games.trick_taking.synthesis.draw_coins import toss_coins
from games.trick_taking.synthesis.list_play import TournamentFollow, marking_of, swap_winners
from games.trick_taking.synthesis.tournament import tournament

MOST_CLEAN = 256
"""Clean qubits for the trees of the coins; the largest take some fifty."""


@lean_syntheses.register("follow_play")
def follow_play(*params: int) -> QuantumCircuit:
    """Draw the cards against each other as `follow_play.tournament` does, by the same registers.

    Args:
        params: bits of a class, bits of a lane, cards of the hand, and whether it is narrow.

    Returns:
        The circuit on n slots, the led class, history and clean qubits.
    """
    class_bits, lane_bits, hand, narrow = params
    draw = tournament(hand, narrow=bool(narrow))
    if draw.indexed or (draw.left is not None and draw.left.indexed):
        # Its counts are swapped while their ANDs are held, which nobody has proven right.
        return TournamentFollow().build(*params)
    width = class_bits + lane_bits
    marks = 0 if class_bits == 1 else hand
    sizes = (hand * width, class_bits, draw.coins, marks, max(0, class_bits - 2), draw.ancillas)
    pool = CleanPool(sum(sizes))
    circuit = QuantumCircuit(sum(sizes) + MOST_CLEAN)
    cards, led, coins, marked, inner, carries = split(range(sum(sizes)), *sizes)
    slots = [cards[i * width : (i + 1) * width] for i in range(hand)]

    def tosser(
        circuit: QuantumCircuit,
        controls: Sequence[int],
        target: int,
        probabilities: Mapping[int, Fraction],
    ) -> None:
        toss_by_table(circuit, controls, target, probabilities, pool.loan())

    marking, marked = marking_of(
        circuit, slots, led, marked, inner, conjunction=temporary_and, undone=undo_and
    )
    circuit.compose(marking, inplace=True)
    toss_coins(circuit, draw, marked, coins, carries, tosser=tosser, conjunction=temporary_and)
    circuit.compose(marking.inverse(), inplace=True)
    swap_winners(circuit, draw, slots, list(coins))
    return pool.trimmed(circuit)
