"""Neighbouring operators that are cheaper together, for two hands without a skat."""

from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Instruction

from compiler.operators import CardPlay, UniformDeal

Items = list[CircuitInstruction]


def fuse_rounds(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit in which the first round and a last, forced one are fused.

    - The deal and everybody's first card are one state preparation: as no card has been
      compared yet, all pairs of a deal and a table are equally probable. That is a deal to four
      owners, hand or table of either seat, with the table bit as the high bit.
    - Seats with one card left play all that is not on a stack.

    Distributions of the cards' registers stay what they are; phases are branch phases.
    """
    fused = circuit.copy_empty_like()
    items = list(circuit.data)
    while items:
        plays = _opening_round(items) or _last_round(items)
        if plays is None:
            fused.append(items.pop(0))
        elif isinstance(items[0].operation, UniformDeal):
            _append_opening(fused, items[0], plays)
            del items[:3]
        else:
            cards = _params(plays[0].operation)[0]
            _, table, stack = _registers(plays[0], cards)
            fused.x(table)
            fused.cx(stack, table)
            del items[:2]
    return fused


def _opening_round(items: Items) -> Items | None:
    if _kinds(items[:3]) != [UniformDeal, CardPlay, CardPlay]:
        return None
    owners, *rest = _params(items[0].operation)
    plays = items[1:3]
    cards = len(rest) - owners
    if owners != 2 or set(rest[2:]) != {-1} or rest[0] != rest[1] or rest[0] < 2:
        return None
    wanted = [[cards, rest[0], seat, 1, 1] for seat in (0, 1)]
    return plays if _same_round(plays, wanted) else None


def _last_round(items: Items) -> Items | None:
    plays = items[:2]
    if _kinds(plays) != [CardPlay, CardPlay]:
        return None
    cards = _params(plays[0].operation)[0]
    return plays if _same_round(plays, [[cards, 1, seat, 1, 0] for seat in (0, 1)]) else None


def _kinds(items: Items) -> list[type]:
    return [type(item.operation) for item in items]


def _same_round(plays: Items, wanted: list[list[int]]) -> bool:
    return [_params(play.operation) for play in plays] == wanted and len(
        {tuple(play.qubits[: 2 * wanted[0][0]]) for play in plays}
    ) == 1


def _append_opening(circuit: QuantumCircuit, deal: CircuitInstruction, plays: Items) -> None:
    hand, cards = _params(deal.operation)[1], len(deal.qubits)
    owner, table, _ = _registers(plays[0], cards)
    operator = UniformDeal((hand - 1, hand - 1, 1, 1), (None,) * cards)
    places = [qubit for pair in zip(owner, table, strict=True) for qubit in pair]
    circuit.append(operator, [*places, plays[0].qubits[-1]])


def _registers(play: CircuitInstruction, cards: int) -> list[list[object]]:
    return [list(play.qubits[i * cards : (i + 1) * cards]) for i in range(3)]


def _params(gate: Instruction) -> list[int]:
    return [int(p) for p in gate.params]
