"""U_ini: the superposition of all deals."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb, sqrt
from typing import Any

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Instruction, Qubit
from qiskit.circuit.library import CXGate, StatePreparation, XGate

from compiler.synthesis.controls import closed_controls
from compiler.synthesis.dicke import Block, append_dicke
from compiler.synthesis.method import (
    CountedMethod,
    Fusion,
    GateKind,
    LiteralOperator,
    Operands,
    Operator,
    SynthesisMethod,
    example,
    operator,
    synthesis_method,
    widened,
)
from compiler.synthesis.permutations import swap_if
from compiler.synthesis.registers import bit_pattern, split
from games.trick_taking.operators.literal_prices import dense_preparation, multi_controlled


@operator("uniform_deal")
class UniformDeal(LiteralOperator):
    """Deals n cards: |0…0⟩ → Σ_deals |owners⟩ / √deals.

    Phases are branch phases.

    Operands: `owner` (n·b bits, card-major, low bit first, b = ⌈log₂ owners⌉), then clean
    ancillas.

    Cost: one Dicke preparation for b = 1; for b = 2 one on the high bits and up to two
    controlled ones for each subset of cards they select.

    Args:
        hands: cards dealt to each owner, 2 to 4 owners; the skat is the last owner.
        known: owner of each card, or None where it is unknown.

    References:
        Armbrüster et al., AAMAS 2026, equations 1 and 20.
    """

    exact_phases = False
    colour = "#009E73"
    examples = (
        example("deal D(4,2)", (2, 2), (None,) * 4),
        example("deal D(6,3)", (3, 3), (None,) * 6),
        example("deal D(8,4)", (4, 4), (None,) * 8),
        example("deal D(32,10)", (22, 10), (None,) * 32),
        example("deal of 3 x 3", (3, 3, 3), (None,) * 9),
        example("deal of 10, 10, 10, 2", (10, 10, 10, 2), (None,) * 32),
    )

    def __init__(self, hands: Sequence[int], known: Sequence[int | None]) -> None:
        self.hands = tuple(hands)
        self.known = tuple(known)
        self.owner_bits = (len(hands) - 1).bit_length()
        params = [len(hands), *hands, *(-1 if owner is None else owner for owner in known)]
        super().__init__(len(known) * self.owner_bits, params)

    def _define(self) -> None:
        self.definition = widened(literal_deal(self.hands, self.known), self.num_qubits)

    def legal_inputs(self) -> Iterator[int]:
        """Yield the only legal input, all qubits 0."""
        yield 0

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the uniform distribution over all deals."""
        deals = [
            sum(owner << (i * self.owner_bits) for i, owner in enumerate(owners))
            for owners in product(range(len(self.hands)), repeat=len(self.known))
            if all(k in (None, o) for k, o in zip(self.known, owners, strict=True))
            and all(owners.count(o) == size for o, size in enumerate(self.hands))
        ]
        return dict.fromkeys(deals, Fraction(1, len(deals)))

    def interchangeable(self) -> list[Sequence[Operands]]:
        """Cards with the same known owner, and those of unknown owners."""
        bits = self.owner_bits
        cards: dict[int | None, list[Operands]] = defaultdict(list)
        for card, owner in enumerate(self.known):
            cards[owner].append(tuple(range(card * bits, (card + 1) * bits)))
        return list(cards.values())

    def fused(self, items: Sequence[CircuitInstruction]) -> Fusion | None:
        """One state preparation for the deal and the first card of each seat."""
        plays = opening_plays(items)
        if plays is None:
            return None
        cards, hand = len(self.known), self.hands[0]
        operator = UniformDeal((hand - 1, hand - 1, 1, 1), (None,) * cards)
        return Fusion(3, [CircuitInstruction(operator, opening_places(items[0], plays[0]))])

    @property
    def declared_cost(self) -> Mapping[GateKind, int]:
        """Flips of known bits, state preparations, and conditions for every selected subset."""
        zero, one, two, three = unknown_cards(self.hands, self.known)
        cost: Counter[GateKind] = Counter()
        cost["x", 0] = sum(owner.bit_count() for owner in self.known if owner is not None)
        if self.owner_bits == 1:
            cost["state_preparation", 0] = int(one > 0)
            return +cost
        selected, remaining = two + three, zero + one
        inner = int(one > 0) + int(three > 0)
        subsets = comb(selected + remaining, selected) if inner else 0
        cost["state_preparation", 0] = int(selected > 0)
        cost["state_preparation", 1] = subsets * inner
        cost["x", selected + remaining] += 2 * subsets
        return +cost

    @property
    def declared_depth(self) -> int:
        """One: the papers draw the deal as a single gate."""
        return 1


Items = Sequence[CircuitInstruction]


def opening_plays(items: Items) -> Items | None:
    """Return the plays of the first round, if a deal and they are all that begins here."""
    if _kinds(items[:3]) != ["uniform_deal", "card_play", "card_play"]:
        return None
    owners, *remaining = _params(items[0].operation)
    plays = items[1:3]
    hand, *others = remaining
    if owners != 2 or hand < 2 or others[0] != hand or set(others[1:]) != {-1}:
        return None
    wanted = [[len(remaining) - owners, hand, seat, 1, 1] for seat in (0, 1)]
    return plays if _same_round(plays, wanted) else None


def opening_places(deal: CircuitInstruction, play: CircuitInstruction) -> list[Qubit]:
    """Return the qubits of a deal to hands and tables, and its ancilla."""
    owner, table, _ = _registers(play, len(deal.qubits))
    places = [qubit for pair in zip(owner, table, strict=True) for qubit in pair]
    return [*places, play.qubits[-1]]


def last_round(items: Items) -> Fusion | None:
    """Return the fusion of the last cards of both seats, None if they are not next."""
    plays = items[:2]
    if _kinds(plays) != ["card_play", "card_play"]:
        return None
    cards = _params(plays[0].operation)[0]
    if not _same_round(plays, [[cards, 1, seat, 1, 0] for seat in (0, 1)]):
        return None
    _, table, stack = _registers(plays[0], cards)
    flips = [CircuitInstruction(XGate(), [qubit]) for qubit in table]
    copies = [CircuitInstruction(CXGate(), pair) for pair in zip(stack, table, strict=True)]
    return Fusion(2, [*flips, *copies])


def _kinds(items: Items) -> list[str]:
    """Return the names of operators; a name alone makes no gate one."""
    return [item.operation.name if isinstance(item.operation, Operator) else "" for item in items]


def _same_round(plays: Items, wanted: list[list[int]]) -> bool:
    return [_params(play.operation) for play in plays] == wanted and len(
        {tuple(play.qubits[: 2 * wanted[0][0]]) for play in plays}
    ) == 1


def _registers(play: CircuitInstruction, cards: int) -> list[list[Qubit]]:
    return [list(play.qubits[i * cards : (i + 1) * cards]) for i in range(3)]


def _params(gate: Instruction) -> list[int]:
    return [int(p) for p in gate.params]


def unknown_cards(hands: Sequence[int], known: Sequence[int | None]) -> list[int]:
    """Return how many cards of each of four owners are not known."""
    sizes = [*hands, 0, 0, 0][:4]
    return [size - list(known).count(owner) for owner, size in enumerate(sizes)]


def literal_deal(hands: Sequence[int], known: Sequence[int | None]) -> QuantumCircuit:
    """Return a circuit that prepares all deals with equal amplitudes from |0…0⟩.

    The high bit of the owners is a Dicke state over the unknown cards. For every subset of
    cards that it can select, an ancilla holds "exactly this subset is selected" and controls
    the two Dicke states of the low bit, on the subset and on the rest.

    Args:
        hands: cards per owner, 2 to 4 owners.
        known: owner of each card, or None where it is unknown.

    Returns:
        Qubits: `owner` (card-major, low bit first), then one clean ancilla if owners have
        two bits.
    """
    owner_bits = (len(hands) - 1).bit_length()
    circuit = _dealt_owners(known, owner_bits, owner_bits - 1)
    owner, work = split(circuit.qubits, len(known) * owner_bits, owner_bits - 1)
    free = [card for card, dealt in enumerate(known) if dealt is None]
    left = unknown_cards(hands, known)
    low = [owner[card * owner_bits] for card in free]
    if owner_bits == 1:
        _append_dicke(circuit, low, left[1])
        return circuit
    high = [owner[card * owner_bits + 1] for card in free]
    selected = left[2] + left[3]
    _append_dicke(circuit, high, selected)
    for subset in combinations(range(len(free)), selected):
        remaining = [i for i in range(len(free)) if i not in subset]
        if not _splits(len(remaining), left[1]) and not _splits(selected, left[3]):
            continue
        pattern = bit_pattern([i in subset for i in range(len(free))])
        condition = XGate().control(len(free), ctrl_state=pattern)
        circuit.append(condition, [*high, *work])
        _append_dicke(circuit, [low[i] for i in remaining], left[1], work[0])
        _append_dicke(circuit, [low[i] for i in subset], left[3], work[0])
        circuit.append(condition, [*high, *work])
    return circuit


def _dealt_owners(owners: Sequence[int | None], bits: int, ancillas: int = 0) -> QuantumCircuit:
    """Return a circuit that flips the owner bits of known cards."""
    circuit = QuantumCircuit(len(owners) * bits + ancillas)
    for card, owner in enumerate(owners):
        for bit in range(bits):
            if (owner or 0) >> bit & 1:
                circuit.x(card * bits + bit)
    return circuit


def _splits(cards: int, ones: int) -> bool:
    return bool(cards and ones)


def _append_dicke(
    circuit: QuantumCircuit, qubits: Sequence[Any], ones: int, control: Any | None = None
) -> None:
    if not _splits(len(qubits), ones):
        return
    size = len(qubits)
    vector = np.array([index.bit_count() == ones for index in range(1 << size)], dtype=float)
    preparation = StatePreparation(vector / sqrt(comb(size, ones)))
    if control is None:
        circuit.append(preparation, qubits)
    else:
        circuit.append(preparation.control(1, annotated=False), [control, *qubits])


@synthesis_method("uniform_deal.literal")
class LiteralUniformDeal(SynthesisMethod):
    """Qiskit plugin `uniform_deal.literal`."""

    def two_qubit_gates(self, *params: int) -> int:
        """One dense preparation, and two controlled ones for every nested subset; an estimate."""
        hands, owners_ = _deal(params)
        left = unknown_cards(hands, owners_)
        if len(hands) == 2:
            return dense_preparation(sum(left), controlled=False)
        remaining, selected = left[0] + left[1], left[2] + left[3]
        price = (
            dense_preparation(remaining + selected, controlled=False)
            if selected and remaining
            else 0
        )
        nested = [(remaining, left[1]), (selected, left[3])]
        inner = sum(dense_preparation(n, controlled=True) for n, k in nested if _splits(n, k))
        if inner:
            condition = 2 * multi_controlled("x", remaining + selected)
            price += comb(remaining + selected, selected) * (inner + condition)
        return price

    def ancillas(self, *params: int) -> int:
        """The condition, for owners of two bits."""
        return (params[0] - 1).bit_length() - 1

    def build(self, *params: int) -> QuantumCircuit:
        """Return the literal circuit of a `uniform_deal` gate."""
        return closed_controls(literal_deal(*_deal(params)))


def _deal(params: Sequence[int]) -> tuple[list[int], list[int | None]]:
    """Return hands and known owners from the parameters of a `uniform_deal` gate."""
    owners, *remaining = params
    return list(remaining[:owners]), [None if owner < 0 else owner for owner in remaining[owners:]]


@synthesis_method("uniform_deal.dicke")
class NestedDeal(CountedMethod):
    """Qiskit plugin `uniform_deal.dicke`.

    Two owners: one Dicke state, 4k(n−k) − 2n gates. More: one bit of the owners splits the cards
    into two halves. The other bit is a Dicke state on the first and one on the last cards,
    which is right for one split; while the first bit spreads to all others, it takes the other
    bit along, four gates a move. As the inner states are symmetric, it does not matter in
    which order cards arrive.

    Both bits are tried as the first one. Phases are branch phases.
    """

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on `owner`."""
        hands, owners = _deal(params)
        bits = (len(hands) - 1).bit_length()
        circuit = _dealt_owners(owners, bits)
        free = [card * bits for card, owner in enumerate(owners) if owner is None]
        zero, one, two, three = unknown_cards(hands, owners)
        if bits == 1:
            append_dicke(circuit, free, one)
            return circuit
        high = [card + 1 for card in free]
        splits = [
            _nested(circuit, high, free, (zero, one, two, three)),
            _nested(circuit, free, high, (zero, two, one, three)),
        ]
        return min(splits, key=lambda split: sum(len(item.qubits) == 2 for item in split.data))


def _nested(
    circuit: QuantumCircuit, outer: Sequence[int], inner: Sequence[int], sizes: Sequence[int]
) -> QuantumCircuit:
    """Return `circuit` followed by a deal.

    Args:
        circuit: flips of known cards.
        outer: each card's bit that is dealt first.
        inner: each card's other bit.
        sizes: cards with (outer, inner) = (0, 0), (0, 1), (1, 0), (1, 1).
    """
    deal = circuit.copy()
    first, second = sizes[0] + sizes[1], sizes[2] + sizes[3]
    if sizes[1] in (0, first) and sizes[3] in (0, second):
        append_dicke(deal, outer, second)
        for a, b in zip(outer, inner, strict=True):
            if bool(sizes[1]) != bool(sizes[3]):
                deal.cx(a, b)
            if sizes[1]:
                deal.x(b)
        return deal
    append_dicke(deal, inner[:first], sizes[1])
    append_dicke(deal, inner[first:], sizes[3])

    def take_along(block: Block) -> None:
        to, source = block.destination, block.source
        swap_if(deal, outer[to], inner[to], inner[source])

    append_dicke(deal, outer, second, take_along)
    return deal
