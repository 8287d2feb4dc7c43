"""The winner of a trick, by flags and carries that are measured away."""

from collections.abc import Sequence

from qiskit import QuantumCircuit

from compiler.fault_tolerant.lean_synthesis import lean_syntheses
from compiler.fault_tolerant.one_hot_rotation import carry
from compiler.fault_tolerant.temporary_ands import temporary_and, undo_and
from compiler.synthesis.permutations import flipped, swap_words_if, xor_all
from compiler.synthesis.registers import split
from games.trick_taking.synthesis.list_trick import trick_ancillas


@lean_syntheses.register("trick_winner")
def trick_winner(*params: int) -> QuantumCircuit:
    """Compare the cards two at a time as `trick_winner.compare` does, by the same strengths.

    Args:
        params: players, bits of a class, bits of a lane, luggage, and the number of trumps.

    Returns:
        The circuit on the players' columns, history and clean qubits.
    """
    players, class_bits, lane_bits, luggage, trumps = params
    width = class_bits + lane_bits
    column = width + luggage
    flags = trick_ancillas(class_bits, lane_bits, trumps)
    sizes = (players * column, players - 1, *flags, lane_bits + flags[0] - 1)
    circuit = QuantumCircuit(sum(sizes))
    cards, history, first, second, inner, carries = split(range(circuit.num_qubits), *sizes)
    columns = [cards[i * column : (i + 1) * column] for i in range(players)]
    leader, *followers = columns
    kinds = [one[lane_bits:width] for one in columns]

    def ranking(seat: int, flags: Sequence[int]) -> QuantumCircuit:
        return _ranking(circuit, kinds[0], kinds[seat] if seat else None, flags, inner)

    def better(one: list[int], one_flags: list[int], other: list[int], result: int) -> None:
        """Flip the result where the other card, whose flags are the other ones, is better."""
        other_flags = second if one_flags is first else first
        lanes = [*one[:lane_bits], *other[:lane_bits]]
        strengths = [*one[:lane_bits], *one_flags], [*other[:lane_bits], *other_flags]
        with flipped(circuit, lanes):
            _less_than(circuit, *strengths, result, carries)

    circuit.compose(ranking(1, first), inplace=True)
    if players == 3:
        circuit.compose(ranking(2, second), inplace=True)
        better(followers[0], first, followers[1], history[0])
        swap_words_if(circuit, history[0], [*followers[0], *first], [*followers[1], *second])
        circuit.compose(ranking(2, second).inverse(), inplace=True)
    circuit.compose(ranking(0, second), inplace=True)
    better(leader, second, followers[0], history[-1])
    circuit.compose(ranking(0, second).inverse(), inplace=True)
    circuit.compose(ranking(1, first).inverse(), inplace=True)
    swap_words_if(circuit, history[-1], leader[width:], followers[0][width:])
    return circuit


def _ranking(
    like: QuantumCircuit,
    led: Sequence[int],
    kind: Sequence[int] | None,
    flags: Sequence[int],
    inner: Sequence[int],
) -> QuantumCircuit:
    """Return a circuit that sets clean flags: the card follows; if there are trumps, it is one.

    Args:
        like: of which it has the qubits.
        led: the class of the leader's card.
        kind: the class of a follower's card; None for the leader's, which follows itself.
        flags: none, one or two.
        inner: clean qubits.
    """
    circuit = like.copy_empty_like()
    own = led if kind is None else kind

    def mark(flag: int) -> None:
        with flipped(circuit, own):
            xor_all(circuit, own, flag, inner, conjunction=temporary_and, undone=undo_and)

    if flags and kind is None:
        circuit.x(flags[0])
    elif flags:
        comparing = like.copy_empty_like()
        for source, target in zip(led, own, strict=True):
            comparing.cx(source, target)
        circuit.compose(comparing, inplace=True)
        mark(flags[0])
        circuit.compose(comparing.inverse(), inplace=True)
    for flag in flags[1:]:
        mark(flag)
    return circuit


def _less_than(
    circuit: QuantumCircuit,
    a: Sequence[int],
    b: Sequence[int],
    result: int,
    carries: Sequence[int],
) -> None:
    """Flip `result` where a < b; where they are equal, it is flipped if b is odd: n - 1 ANDs.

    See `compiler.synthesis.permutations.less_than`.

    Args:
        circuit: what is appended to.
        a: register of n qubits, lowest bit first; it comes back.
        b: register of the same size; it comes back.
        result: qubit that is flipped.
        carries: n - 1 clean qubits.
    """
    carrying = circuit.copy_empty_like()
    chain = [b[0], *carries]
    carrying.x(list(a[1:]))
    for i in range(1, len(a)):
        carry(carrying, (a[i], chain[i - 1]), b[i], chain[i])
    circuit.compose(carrying, inplace=True)
    circuit.cx(chain[len(a) - 1], result)
    circuit.compose(carrying.inverse(), inplace=True)
