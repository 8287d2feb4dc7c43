"""The parts of an amplified card play, cut from the circuit that the compiler builds."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.verification.simulation.sparse import SparseState, simulate, simulate_in_steps
from games.trick_taking.operators.hand_play import HandPlay

LARGEST_DENOMINATOR = 1000
OPENING = ["ry", "ry", "cz"]
EXCHANGE_GATES = 12


@frozen
class Piece:
    """A gate, or the gates of one exchange.

    Args:
        gates: on all of the play's qubits.
        exchanged: of an exchange, its control if it has one, the table qubit and the start.
        probability: of an exchange, with which the mark moves.
    """

    gates: QuantumCircuit
    exchanged: tuple[int, ...] = ()
    probability: Fraction = Fraction(0)


@frozen
class Part:
    """A named stretch of an amplified card play.

    Args:
        name: its task.
        pieces: in order.
    """

    name: str
    pieces: tuple[Piece, ...]

    @property
    def gates(self) -> QuantumCircuit:
        """All gates of the part."""
        circuit = self.pieces[0].gates.copy_empty_like()
        for piece in self.pieces:
            circuit.compose(piece.gates, inplace=True)
        return circuit


def amplified_parts(cards: int, hand: int) -> list[Part]:
    """Cut an amplified card play of one round, after which the flags stay, into its parts."""
    pieces = iter(list(_pieces(HandPlay(cards, hand).definition)))
    inner = cards - 2
    lengths = {
        "spread": 3 + inner,
        "mark": cards,
        "un-spread": inner,
        "reflect": 1,
        "spread again": inner,
        "rest": 1,
    }
    parts = [
        Part(name, tuple(next(pieces) for _ in range(length))) for name, length in lengths.items()
    ]
    if next(pieces, None) is not None:
        raise ValueError(f"the play of one of {hand} among {cards} cards has more parts than these")
    return parts


def _pieces(circuit: QuantumCircuit) -> Iterator[Piece]:
    place = 0
    while place < len(circuit.data):
        names = [item.operation.name for item in circuit.data[place : place + len(OPENING)]]
        length = EXCHANGE_GATES if names == OPENING else 1
        gates = circuit.copy_empty_like()
        for item in circuit.data[place : place + length]:
            gates.append(item)
        yield _exchange(gates) if length > 1 else Piece(gates)
        place += length


def _exchange(gates: QuantumCircuit) -> Piece:
    touched = sorted({gates.find_bit(q).index for item in gates.data for q in item.qubits})
    *controls, target, start = touched
    initial = sum(1 << qubit for qubit in (*controls, start))
    moved = simulate(gates, initial).probabilities([target]).get(1, 0.0)
    return Piece(gates, tuple(touched), as_fraction(moved))


def joined(parts: Sequence[Part]) -> QuantumCircuit:
    """Return the circuit of several parts one after the other."""
    circuit = parts[0].gates
    for part in parts[1:]:
        circuit.compose(part.gates, inplace=True)
    return circuit


def as_fraction(probability: float) -> Fraction:
    """Return the fraction that an exactly simulated probability is."""
    fraction = Fraction(probability).limit_denominator(LARGEST_DENOMINATOR)
    if abs(fraction - probability) > 1e-9:
        raise ValueError(f"{probability} is no fraction of small denominator")
    return fraction


CARDS = 9
HELD = (1, 4, 6)
"""The hand whose play is followed."""


@frozen
class Stage:
    """Place of the mark after a part of the play.

    Args:
        name: the part.
        places: probability of every table qubit, and at last of the start.
        flipped: places whose sign differs from that after the first stage, as long as that is the
            only difference.
    """

    name: str
    places: tuple[Fraction, ...]
    flipped: tuple[int, ...] = ()


def stages() -> list[Stage]:
    """Follow the mark through the play of one of the three cards `HELD` among nine."""
    spread, mark, unspread, reflect, again, remaining = amplified_parts(CARDS, len(HELD))
    dealt = spread.gates.copy_empty_like()
    dealt.x(list(HELD))
    dealt.compose(spread.gates, inplace=True)
    back, forth = joined([unspread, reflect]), joined([again, remaining])
    amplitudes = [
        _amplitudes(state, range(CARDS, 2 * CARDS + 1))
        for state in simulate_in_steps([dealt, mark.gates, back, forth])
    ]
    names = ("spread", "marked", "un-spread, reflected", "spread again")
    return [
        Stage(name, tuple(as_fraction(abs(a) ** 2) for a in now), _flipped(amplitudes[0], now))
        for name, now in zip(names, amplitudes, strict=True)
    ]


def _amplitudes(state: SparseState, places: Sequence[int]) -> list[complex]:
    """Return the amplitude of the mark at each place, where it is at one of them."""
    return [complex(state.amplitudes[state.bits[:, place]].sum()) for place in places]


def _flipped(before: Sequence[complex], now: Sequence[complex]) -> tuple[int, ...]:
    """Return the places whose sign has changed against that of the last, if only signs have."""
    if any(abs(abs(a) - abs(b)) > 1e-9 for a, b in zip(before, now, strict=True)):
        return ()
    against = now[-1] / before[-1]
    return tuple(
        place
        for place, (a, b) in enumerate(zip(before, now, strict=True))
        if abs(a) > 1e-9 and (b / a / against).real < 0
    )
