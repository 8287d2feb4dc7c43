"""The cards: deck, hands, and their gates as exact matrices."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from random import Random

from compiler.errors import GameError
from games.endless_fun.rules.amplitude import Amplitude

Matrix = tuple[tuple[Amplitude, ...], ...]
"""Rows of exact numbers; a column is the image of a basis state."""


class Gate(StrEnum):
    """Gate of a card, named as in the paper's software.

    Those on two qudits lie under one of them, the control of a CNOT, and point left or right.
    """

    I = "I"  # noqa: E741
    X = "X"
    Y = "Y"
    Z = "Z"
    X1 = "X1"
    X2 = "X2"
    Y1 = "Y1"
    Y2 = "Y2"
    Z1 = "Z1"
    Z2 = "Z2"
    H1 = "H1"
    H2 = "H2"
    H3 = "H3"
    CNOT_LEFT = "CNOTl"
    CNOT_RIGHT = "CNOTr"
    SWAP_LEFT = "SWAPl"
    SWAP_RIGHT = "SWAPr"

    @property
    def reach(self) -> int:
        """Offset of the other qudit: −1 to the left, 1 to the right, 0 if there is none."""
        return {"l": -1, "r": 1}.get(self.value[-1], 0)

    @property
    def qudits(self) -> int:
        """Number of qudits of the gate, 1 or 2."""
        return 2 if self.reach else 1

    @property
    def swaps(self) -> bool:
        """Return whether it exchanges two qudits."""
        return self in (Gate.SWAP_LEFT, Gate.SWAP_RIGHT)


_SHARED = (Gate.I, Gate.H1, Gate.H2)
_PAIRS = (Gate.CNOT_LEFT, Gate.CNOT_RIGHT, Gate.SWAP_LEFT, Gate.SWAP_RIGHT)

GATES: dict[int, tuple[Gate, ...]] = {
    2: (*_SHARED, Gate.X, Gate.Y, Gate.Z, *_PAIRS),
    3: (
        *_SHARED,
        Gate.H3,
        *(Gate.X1, Gate.X2, Gate.Y1, Gate.Y2, Gate.Z1, Gate.Z2),
        *_PAIRS,
    ),
}
"""The gates on qudits of d levels, by d."""


def gate_named(name: str, dimension: int) -> Gate:
    """Return a gate by its usual name, or its name in the paper's software.

    Capitals make no difference, and where a card points may be an arrow: `←CNOT` is `CNOTl`.

    Raises:
        GameError: if there is none on qudits of that dimension.
    """
    gates, spelled = _by_spelling(dimension), name.lower()
    if spelled in gates:
        return gates[spelled]
    wrong = f"a gate of {5 - dimension}D" if spelled in _by_spelling(5 - dimension) else "no gate"
    raise GameError(
        f"{name[:20]!r}: {wrong}; in {dimension}D there are {', '.join(GATES[dimension])}"
    )


@cache
def _by_spelling(dimension: int) -> dict[str, Gate]:
    arrows = {-1: "←{}", 1: "{}→"}
    pointing = (gate for gate in GATES[dimension] if gate.reach)
    return {gate.lower(): gate for gate in GATES[dimension]} | {
        arrows[gate.reach].format(gate[:-1].lower()): gate for gate in pointing
    }


@cache
def matrix(gate: Gate, dimension: int, pauli: bool = False) -> Matrix:
    """Return a gate's exact unitary matrix.

    On two qudits a basis state's index is d·own + other, where the card lies under *own*, the
    control of a CNOT, and points at *other*: `CNOTl` and `CNOTr` have the same matrix.

    Args:
        gate: one of `GATES[dimension]`.
        dimension: d.
        pauli: whether Y of 2D is Pauli's matrix, |1⟩ → −i|0⟩; the paper prints |1⟩ → i|0⟩.
    """
    if gate.qudits == 2:
        moved = [
            dimension * other + own if gate.swaps else dimension * own + (own + other) % dimension
            for own in range(dimension)
            for other in range(dimension)
        ]
        return _monomial(dimension, moved)
    return _qubit_gate(gate, pauli) if dimension == 2 else _qutrit_gate(gate)


def _monomial(
    dimension: int, moved: Sequence[int], phases: Sequence[Amplitude] | None = None
) -> Matrix:
    """Return the matrix of |x⟩ → phases[x] |moved[x]⟩."""
    size = len(moved)
    factors = phases or [Amplitude(dimension, 1)] * size
    return tuple(
        tuple(factors[x] if moved[x] == y else Amplitude(dimension, 0) for x in range(size))
        for y in range(size)
    )


_QUBIT_GATES: Mapping[Gate, tuple[tuple[complex, ...], ...]] = {
    Gate.I: ((1, 0), (0, 1)),
    Gate.X: ((0, 1), (1, 0)),
    Gate.Y: ((0, 1j), (1j, 0)),
    Gate.Z: ((1, 0), (0, -1)),
    Gate.H1: ((1, 1), (1, -1)),
    Gate.H2: ((1, 1), (1j, -1j)),
}
"""Entries with whole parts; those of the Hadamards are up to 1/√2."""
_PAULI_Y = ((0, -1j), (1j, 0))


def _qubit_gate(gate: Gate, pauli: bool) -> Matrix:
    rows = _PAULI_Y if pauli and gate is Gate.Y else _QUBIT_GATES[gate]
    power = int(gate in (Gate.H1, Gate.H2))
    return tuple(
        tuple(Amplitude(2, int(z.real), int(z.imag), power if z else 0) for z in row)
        for row in rows
    )


_HADAMARDS = {
    Gate.H1: ((0, 0, 0), (1, 2, 0), (1, 0, 2)),
    Gate.H2: ((0, 0, 0), (2, 0, 1), (2, 1, 0)),
    Gate.H3: ((0, 0, 0), (0, 1, 2), (0, 2, 1)),
}
"""Powers of ω; a column is the image of a basis state, up to 1/√3."""


def _omega(exponent: int, power: int = 0) -> Amplitude:
    return Amplitude(3, *((1, 0), (0, 1), (-1, -1))[exponent % 3], power=power)


def _qutrit_gate(gate: Gate) -> Matrix:
    if gate in _HADAMARDS:
        return tuple(tuple(_omega(power, 1) for power in row) for row in _HADAMARDS[gate])
    kind, steps = gate.value[0], int(gate.value[1:] or 0)
    moved = [(x + steps * (kind in "XY")) % 3 for x in range(3)]
    # Y_k = Z_k X_k: the phase is that of where the state has come to.
    return _monomial(3, moved, [_omega(steps * (kind in "YZ") * y) for y in moved])


FEWEST_PLAYERS, MAX_PLAYERS = 2, 7
HAND = 7
"""Cards that each player gets."""


class Card(StrEnum):
    """The print on a card."""

    I = "I"  # noqa: E741
    X = "X"
    Y = "Y"
    Z = "Z"
    H1 = "H1"
    H2 = "H2"
    H3 = "H3"
    CNOT = "CNOT"
    SWAP = "SWAP"
    STEAL = "Steal"
    CANCEL = "Cancel"


DECK: Mapping[Card, int] = {
    Card.I: 4, Card.X: 4, Card.Y: 4, Card.Z: 4,
    # The paper leaves the split of the 15 Hadamards into kinds open.
    Card.H1: 5, Card.H2: 5, Card.H3: 5,
    Card.CNOT: 9, Card.SWAP: 8, Card.STEAL: 2, Card.CANCEL: 5,
}  # fmt: skip
"""Number of cards of each kind; in 2D the H3 are removed."""

Hand = tuple[Card, ...]


@cache
def gates_of(card: Card, dimension: int) -> tuple[Gate, ...]:
    """Return the gates that a card may be; none for Steal and Cancel."""
    wanted = {card.value} | {card.value + end for end in ("1", "2", "l", "r")}
    if card in (Card.H1, Card.H2, Card.H3, Card.I):
        wanted = {card.value}
    return tuple(gate for gate in GATES[dimension] if gate.value in wanted)


def dealt(players: int, dimension: int, seed: int) -> tuple[Hand, ...]:
    """Return the cards of all players, each hand in the order of the kinds.

    Args:
        players: number of players.
        dimension: levels of a qudit.
        seed: shuffles the cards.
    """
    cards = [
        card
        for card, number in DECK.items()
        for _ in range(number)
        if dimension == 3 or card is not Card.H3
    ]
    Random(f"endless fun cards {seed}").shuffle(cards)
    hands = (cards[HAND * seat : HAND * (seat + 1)] for seat in range(players))
    return tuple(tuple(sorted(hand, key=list(Card).index)) for hand in hands)


def without(hand: Hand, card: Card) -> Hand:
    """Return a hand after one of its cards has left it."""
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]
