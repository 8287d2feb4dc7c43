"""Rounds of two hands without a skat that are cheaper when they are fused.

- The deal and everybody's first card are one state preparation: as no card has been compared
  yet, all pairs of a deal and a table are equally probable. That is a deal to four owners, hand
  or table of either seat, with the table bit as the high bit.
- Seats with one card left play all that is not on a stack.
"""

from collections.abc import Sequence

from qiskit.circuit import CircuitInstruction, Instruction, Qubit
from qiskit.circuit.library import CXGate, XGate

from compiler.synthesis.operator import Fusion, Operator

Items = Sequence[CircuitInstruction]


def opening_plays(items: Items) -> Items | None:
    """Return the plays of the first round, if a deal and they are all that begins here."""
    if _kinds(items[:3]) != ["uniform_deal", "card_play", "card_play"]:
        return None
    owners, *rest = _params(items[0].operation)
    plays = items[1:3]
    cards = len(rest) - owners
    if owners != 2 or set(rest[2:]) != {-1} or rest[0] != rest[1] or rest[0] < 2:
        return None
    wanted = [[cards, rest[0], seat, 1, 1] for seat in (0, 1)]
    return plays if _same_round(plays, wanted) else None


def opening_places(deal: CircuitInstruction, play: CircuitInstruction) -> list[Qubit]:
    """Return the qubits of a deal to hands and tables, and its ancilla."""
    owner, table, _ = _registers(play, len(deal.qubits))
    places = [qubit for pair in zip(owner, table, strict=True) for qubit in pair]
    return [*places, play.qubits[-1]]


def last_round(items: Items) -> Fusion | None:
    """Return what plays the last cards of both seats, if that is what begins here."""
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
