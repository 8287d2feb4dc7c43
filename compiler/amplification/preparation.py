"""What of a program must be undone: the gates up to where its event is decided.

A Grover iterate is A S₀ A† S_f. Gates at the end of A that leave the event alone commute with the
sign S_f, so that A† of one iterate meets them and they cancel: they are played once, at the end.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from attrs import evolve, field, frozen
from qiskit import QuantumCircuit

from compiler.amplification.event import Event
from compiler.compilation import Options, compile
from compiler.dynamic.deferred import Deferred, deferred
from compiler.dynamic.pieces import final_part
from compiler.errors import StateTooLargeError, VerificationError
from compiler.lowering.methods import lower_operators
from compiler.program import Program
from compiler.verification.simulation.exact import exact_state
from compiler.verification.simulation.sparse import SparseState, simulate_each

MOST_STATES = 4096
"""Basis states on which it is looked up whether the event happens."""

MOST_BRANCHES = 256
"""Basis states that what follows may make of one of them where the event is decided."""

BEFORE = Options("fast")
"""How gates are lowered that act on |0…0⟩: they are lowered once more with all the rest."""


@frozen(eq=False)
class Preparation:
    """The gates up to where an event is decided, and those after it.

    Args:
        event: what is decided.
        gates: the first part, its operators synthesised: what is undone.
        start: a circuit that does the same from |0…0⟩, and perhaps from nowhere else.
        rest: the operators and gates after it, on the same qubits.
        measured: the qubit that holds each classical bit at the end.
        decided: basis state after the first part, bit q = qubit q, to whether the event happens.
    """

    event: Event
    gates: QuantumCircuit
    start: QuantumCircuit
    rest: QuantumCircuit
    measured: Mapping[int, int]
    decided: Mapping[int, int] = field(repr=False)

    def started(self) -> "Preparation":
        """Return it with a start that is lowered to native all-to-all gates, from |0…0⟩."""
        return evolve(self, start=_lowered(self.gates))


def preparations(event: Event) -> Iterator[Preparation]:
    """Yield all ways to part a program, the whole of it first.

    Measurements on the way are deferred. Parts that decide nothing new are left out.

    Raises:
        StateTooLargeError: if the program's state has too many basis states.
    """
    if event.judge.branches > MOST_STATES:
        raise _too_many(event, event.judge.branches)
    source = deferred(event.program.circuit, final_part(event.program.circuit)[1])
    items = [item for item in source.circuit.data if item.operation.name != "barrier"]
    after: Mapping[int, int] = {}
    for end in range(len(items), 0, -1):
        head, step, tail = (source.circuit.copy_empty_like() for _ in range(3))
        for part, some in (
            (head, items[:end]), (step, items[end : end + 1]), (tail, items[end:])
        ):  # fmt: skip
            for item in some:
                part.append(item)
        gates = lower_operators(head, "cheapest")
        state = exact_state(gates)
        if len(state.amplitudes) > MOST_STATES:
            raise _too_many(event, len(state.amplitudes))
        basis = _basis_states(state)
        decided = _decided(event, source, basis, tail, _decided_after(basis, step, after))
        if decided is None:
            return
        after = decided
        yield Preparation(event, gates, gates, tail, source.measured, decided)


def _lowered(plain: QuantumCircuit) -> QuantumCircuit:
    whole = QuantumCircuit(plain.num_qubits, plain.num_qubits, name=plain.name)
    whole.compose(plain, whole.qubits, inplace=True)
    whole.measure(whole.qubits, whole.clbits)
    native = compile(Program.of_circuit(whole), "all", BEFORE).circuit
    rest, measured = final_part(native)
    places = {native_qubit: qubit for qubit, native_qubit in measured.items()}
    made = plain.copy_empty_like()
    for item in rest.data:
        where = [places[rest.find_bit(qubit).index] for qubit in item.qubits]
        made.append(item.operation, where)
    return made


def _decided_after(
    basis: Sequence[int], step: QuantumCircuit, decided: Mapping[int, int]
) -> dict[int, int]:
    """Return whether the event happens after those basis states of which one step tells.

    Args:
        basis: states before the step.
        step: the first operator of what follows.
        decided: whether it happens after basis states that the step may lead to. Where all that it
            does lead to agree, what follows them cannot disagree.
    """
    found: dict[int, int] = {}
    with suppress(StateTooLargeError):
        for start, end in zip(basis, simulate_each(step, basis, MOST_BRANCHES), strict=True):
            happens = {decided.get(one) for one in _basis_states(end)}
            first = next(iter(happens))
            if len(happens) == 1 and first is not None:
                found[start] = first
    return found


def _basis_states(state: SparseState) -> list[int]:
    return [sum(1 << q for q, bit in enumerate(row) if bit) for row in state.bits.tolist()]


def _decided(
    event: Event,
    source: Deferred,
    basis: Sequence[int],
    tail: QuantumCircuit,
    known: Mapping[int, int],
) -> dict[int, int] | None:
    """Return whether the event happens after each basis state, None if that is still open.

    Args:
        event: which may happen.
        source: the whole program.
        basis: states after its first part.
        tail: what follows.
        known: what is known of some of them.

    Raises:
        VerificationError: if bits are measured that mean nothing.
    """
    decided = dict(known)
    left = [start for start in basis if start not in known]
    ends = simulate_each(tail, left, MOST_BRANCHES)
    for start in left:
        try:
            end = next(ends)
        except StateTooLargeError:
            # So much is still open that it is not worth while to ask further.
            return None
        found: set[int | None] = set()
        for bits in end.probabilities(list(source.measured.values())):
            found.add(event.happens(sum(
                (bits >> i & 1) << clbit for i, clbit in enumerate(source.measured)
            )))  # fmt: skip
        if None in found and not tail.data:
            raise VerificationError(f"{event.program.name}: measures bits that are illegal")
        if None in found or len(found) > 1:
            # Basis states by themselves may reach what all together do not.
            return None
        decided[start] = int(bool(found.pop()))
    return dict(sorted(decided.items()))


def _too_many(event: Event, states: int) -> StateTooLargeError:
    return StateTooLargeError(
        f"{event.program.name}: {states:,} basis states are more than the {MOST_STATES:,} on which "
        "it can be looked up whether an event happens; take a smaller game"
    )
