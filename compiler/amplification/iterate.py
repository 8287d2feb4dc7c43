"""The Grover iterate of a program's event, and programs that repeat it.

The part of a program that must be undone: the gates up to where its event is decided.

A Grover iterate is A S₀ A† S_f. Gates at the end of A that leave the event alone commute with the
sign S_f, so that A† of one iterate meets them and they cancel: they are played once, at the end.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from operator import attrgetter

from attrs import evolve, field, frozen
from qiskit import QuantumCircuit

from compiler.amplification.drawn import PICK, DrawnJudge
from compiler.amplification.event import AmplifiedJudge, Event
from compiler.amplification.sign import Sign, append_sign, cheapest_sign, split_sign
from compiler.arguments import checked
from compiler.circuits.table_rows import integers
from compiler.compilation import Options, compile
from compiler.dynamic.deferred import Deferred, deferred
from compiler.dynamic.pieces import final_part, of_items
from compiler.errors import InputError, StateTooLargeError, VerificationError
from compiler.lowering.methods import lower_operators
from compiler.program import Program
from compiler.verification.program import measured_distribution
from compiler.verification.simulation.exact import branched_state, exact_state, simulate_each

MAX_STATES = 4096
"""Basis states on which it is looked up whether the event happens."""

MAX_BRANCHES = 256
"""Limit of the basis states that later gates may make of one where the event is decided."""

BEFORE = Options("fast")
"""Lowering of gates that act on |0…0⟩: they are lowered once more with all others."""


@frozen(eq=False)
class Preparation:
    """The gates up to where an event is decided, and those after it.

    Args:
        event: the decided event.
        gates: the first part, its operators synthesised: the part that is undone.
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
    if event.judge.branches > MAX_STATES:
        raise _too_many(event, event.judge.branches)
    source = deferred(event.program.circuit, final_part(event.program.circuit)[1])
    items = [item for item in source.circuit.data if item.operation.name != "barrier"]
    after: Mapping[int, int] = {}
    for end in range(len(items), 0, -1):
        parts = (items[:end], items[end : end + 1], items[end:])
        head, step, tail = (of_items(part, source.circuit) for part in parts)
        gates = lower_operators(head, "cheapest")
        state = exact_state(gates)
        if len(state.amplitudes) > MAX_STATES:
            raise _too_many(event, len(state.amplitudes))
        basis = integers(state.bits)
        decided = _decided(event, source, basis, tail, _decided_after(basis, step, after))
        if decided is None:
            return
        after = decided
        yield Preparation(event, gates, gates, tail, source.measured, decided)


def _lowered(plain: QuantumCircuit) -> QuantumCircuit:
    measured_circuit = QuantumCircuit(plain.num_qubits, plain.num_qubits, name=plain.name)
    measured_circuit.compose(plain, measured_circuit.qubits, inplace=True)
    measured_circuit.measure(measured_circuit.qubits, measured_circuit.clbits)
    native = compile(Program.of_circuit(measured_circuit), "all", BEFORE).circuit
    remaining, measured = final_part(native)
    places = {native_qubit: qubit for qubit, native_qubit in measured.items()}
    lowered = plain.copy_empty_like()
    for item in remaining.data:
        where = [places[remaining.find_bit(qubit).index] for qubit in item.qubits]
        lowered.append(item.operation, where)
    return lowered


def _decided_after(
    basis: Sequence[int], step: QuantumCircuit, decided: Mapping[int, int]
) -> dict[int, int]:
    """Return whether the event happens after those basis states of which one step tells.

    Args:
        basis: states before the step.
        step: the first operator of the second part.
        decided: whether the event happens after basis states that the step may lead to. Where all
            of its results agree, later gates cannot change the event.
    """
    events: dict[int, int] = {}
    with suppress(StateTooLargeError):
        for start, end in zip(basis, simulate_each(step, basis, MAX_BRANCHES), strict=True):
            happens = {decided.get(state) for state in integers(end.bits)}
            first = next(iter(happens))
            if len(happens) == 1 and first is not None:
                events[start] = first
    return events


def _decided(
    event: Event,
    source: Deferred,
    basis: Sequence[int],
    tail: QuantumCircuit,
    cached: Mapping[int, int],
) -> dict[int, int] | None:
    """Return whether the event happens after each basis state, None if that is still open.

    Args:
        event: which may happen.
        source: the whole program.
        basis: states after its first part.
        tail: the second part.
        cached: results for some of them.

    Raises:
        VerificationError: if bits are measured that mean nothing.
    """
    decided = dict(cached)
    left = [start for start in basis if start not in cached]
    ends = simulate_each(tail, left, MAX_BRANCHES)
    for start in left:
        try:
            end = next(ends)
        except StateTooLargeError:
            # So much is still open that it is not worth while to ask further.
            return None
        events = set(map(event.happens, measured_distribution(source, end)))
        if None in events and not tail.data:
            raise VerificationError(f"{event.program.name}: measures bits that are illegal")
        if None in events or len(events) > 1:
            # Single basis states may reach states that all together do not.
            return None
        decided[start] = int(bool(events.pop()))
    return dict(sorted(decided.items()))


def _too_many(event: Event, states: int) -> StateTooLargeError:
    return StateTooLargeError(
        f"{event.program.name}: {states:,} basis states are more than the {MAX_STATES:,} on which "
        "it can be looked up whether an event happens; take a smaller game"
    )


MAX_PARTS = 6
"""Ways to part a program that are tried."""

MAX_LOWERED = 500
"""Two-qubit gates of all the ways to part it together that are lowered; one always is."""

MAX_UNSPLIT = 300
"""Basis states up to which the sign of a drawn number is also looked for as a whole."""

MAX_REPEATED = 200
"""Limit of the two-qubit gates of an undone part that is lowered for one state."""

FOLLOWED = 1 << 20
"""Amplitudes up to which the state after one iterate counts as one that can be simulated."""

MAX_GATES = 100_000
"""Two-qubit gates that the iterates of one circuit may take, as predicted."""


@frozen(eq=False)
class Amplification:
    """A program whose event can be made more, or less, probable.

    With sin²θ the probability of the event, j iterates Q = A S₀ A† S_f make it
    sin²((2j + 1)θ). Of A only the part before the event is decided is repeated. The state never
    leaves the plane of A|0…0⟩ and S_f A|0…0⟩, so that S_f only has to be right on the basis states
    of the first of these, and S₀, which turns the sign of |0…0⟩, on those of A† S_f A|0…0⟩.

    Args:
        preparation: the program in two parts.
        sign: S_f, up to its constant.
        zero: S₀, the reflection about |0…0⟩, up to its constant.

    References:
        Brassard, Høyer, Mosca, Tapp, arXiv quant-ph/0005055.
    """

    preparation: Preparation
    sign: Sign
    zero: Sign

    @cached_property
    def inverse(self) -> QuantumCircuit:
        """Inverse of the repeated gates."""
        return self.preparation.gates.inverse()

    @property
    def event(self) -> Event:
        """The amplified event."""
        return self.preparation.event

    @property
    def two_qubit_gates(self) -> int:
        """Predicted for one iterate on an all-to-all target, before lowering."""
        part = self.preparation.gates.num_nonlocal_gates()
        return 2 * part + self.sign.two_qubit_gates + self.zero.two_qubit_gates

    def append_iterate(self, circuit: QuantumCircuit, control: int | None = None) -> None:
        """Append −Q, or Q where a control is 1; the circuit's first qubits are the program's."""
        gates = self.preparation.gates
        qubits = range(gates.num_qubits)
        append_sign(circuit, self.sign, control)
        circuit.compose(self.inverse, qubits, inplace=True)
        append_sign(circuit, self.zero, control)
        circuit.compose(gates, qubits, inplace=True)
        if control is not None:
            # Turning the sign of |0…0⟩ is minus the reflection about it.
            circuit.z(control)

    def require_few(self, iterates: int) -> None:
        """Refuse more iterates than anybody can lower.

        Raises:
            InputError: saying how many would do.
        """
        if iterates * self.two_qubit_gates > MAX_GATES:
            raise InputError(
                f"{self.event.program.name}: {iterates} iterates of {self.two_qubit_gates} "
                f"two-qubit gates are too many for one circuit; take "
                f"{MAX_GATES // self.two_qubit_gates} at most"
            )

    def program(self, iterates: int) -> Program:
        """Return the program with its event amplified, measured and judged as the program is.

        Args:
            iterates: how often; 0 is the program as it was, its first part lowered.

        Raises:
            InputError: if that would take too many gates.
        """
        self.require_few(iterates)
        source, event = self.preparation, self.event
        original = event.program.circuit
        circuit = QuantumCircuit(*source.rest.qregs, *original.cregs, name=original.name)
        circuit.compose(source.start, source.rest.qubits, inplace=True)
        for _ in range(iterates):
            self.append_iterate(circuit)
        circuit.compose(source.rest, source.rest.qubits, inplace=True)
        for clbit, qubit in source.measured.items():
            circuit.measure(qubit, clbit)
        return Program(circuit, AmplifiedJudge(event, iterates), event.program.encoding)


@checked
def amplified(event: Event) -> Amplification:
    """Return a program's amplification with the fewest two-qubit gates an iterate.

    The gates that are undone are lowered for the state from |0…0⟩, too, if they are few and the
    iterate's state can still be simulated then: away from that state they may do anything, and
    the compiler's passes and proofs have to follow it.

    Raises:
        StateTooLargeError: if the program's state has too many basis states.
        VerificationError: if the program measures bits that mean nothing.
    """
    tried: list[Amplification] = []
    gates = 0
    parts: list[tuple[Preparation, Sign]] = []
    for part in reversed(list(islice(preparations(event), MAX_PARTS))):
        # The shortest come first; a sign takes longer to find than any of them is worth.
        if not parts or 2 * part.gates.num_nonlocal_gates() < min(map(_predicted, parts)):
            parts.append((part, _sign(part)))
    for part, sign in sorted(parts, key=_predicted):
        own = part.gates.num_nonlocal_gates()
        gates += own
        if tried and gates > MAX_LOWERED:
            break
        started = part.started()
        tried.append(_amplification(started, sign))
        if own <= MAX_REPEATED:
            lowered = _amplification(evolve(started, gates=started.start), sign)
            tried += [lowered] * _is_followed(lowered)
    return min(tried, key=attrgetter("two_qubit_gates"))


def _sign(part: Preparation) -> Sign:
    """Return S_f; that of a drawn number is made bit by bit, unless it is small."""
    qubits, drawn = part.gates.num_qubits, []
    if isinstance(part.event.judge, DrawnJudge):
        (pick,) = [register for register in part.rest.qregs if register.name == PICK]
        drawn = [part.rest.find_bit(qubit).index for qubit in pick]
    split = split_sign(part.decided, qubits, drawn) if drawn else None
    if split is not None and len(part.decided) > MAX_UNSPLIT:
        return split
    unsplit = cheapest_sign(part.decided, qubits)
    return unsplit if split is None else min(split, unsplit, key=attrgetter("two_qubit_gates"))


def _predicted(part: tuple[Preparation, Sign]) -> int:
    return 2 * part[0].gates.num_nonlocal_gates() + part[1].two_qubit_gates


def _amplification(part: Preparation, sign: Sign) -> Amplification:
    qubits = part.gates.num_qubits
    mirrored = QuantumCircuit(qubits)
    mirrored.compose(part.start, range(qubits), inplace=True)
    append_sign(mirrored, sign)
    mirrored.compose(part.gates.inverse(), range(qubits), inplace=True)
    state = exact_state(mirrored)
    # Which engine has simulated the state decides the order of its rows.
    basis = sorted(integers(state.bits))
    zero = cheapest_sign({0: 1, **{other: 0 for other in basis if other}}, qubits)
    return Amplification(part, sign, zero)


def _is_followed(amplification: Amplification) -> bool:
    """Return whether the state after one iterate can be simulated gate by gate."""
    source = amplification.preparation
    circuit = QuantumCircuit(source.start.num_qubits)
    circuit.compose(source.start, circuit.qubits, inplace=True)
    amplification.append_iterate(circuit)
    try:
        branched_state(circuit, max_amplitudes=FOLLOWED)
    except StateTooLargeError:
        return False
    return True
