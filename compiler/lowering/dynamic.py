"""Programs that measure on the way: segment after segment lowered, the layout threaded through.

Which qubits are in |0⟩ on every path of a circuit that measures on the way.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from attrs import define, evolve, field
from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import CircuitInstruction, Clbit, IfElseOp, Measure, Reset, SwitchCaseOp
from qiskit.circuit.library import XGate
from qiskit.transpiler import CouplingMap, Target
from qiskit.transpiler.passes.routing.algorithms import ApproximateTokenSwapper

from compiler.dynamic.pieces import (
    Branch,
    Event,
    Pieces,
    Segment,
    acted_on,
    of_items,
    pieces_of,
    unconditional,
)
from compiler.errors import LoweringError, NothingToGainError
from compiler.lowering.dont_care import dont_care, simplified
from compiler.lowering.draft import Draft, Setting, Step
from compiler.lowering.figures import figures
from compiler.lowering.native import translated
from compiler.lowering.pipeline import Pipeline, best
from compiler.lowering.placement import placed, placement
from compiler.lowering.qiskit_level_3 import MAX_TARGETS, level_3, plain_target, qiskit_plain
from compiler.synthesis.method import Operator, is_operator
from compiler.targets.target import restricted


@define
class KnownQubits:
    """Known facts about qubits, for all measured values.

    Args:
        zero: those that are |0⟩, and so entangled with nothing.
        held: for qubits without a gate since they were measured, the classical bit
            that still equals them.
    """

    zero: set[int]
    held: dict[int, int] = field(factory=dict)

    def copy(self) -> "KnownQubits":
        """Return the same, to be changed independently."""
        return KnownQubits(set(self.zero), dict(self.held))

    def change(self, qubits: Collection[int]) -> None:
        """Note that gates act on some qubits."""
        self.zero.difference_update(qubits)
        self.held = {q: clbit for q, clbit in self.held.items() if q not in qubits}

    def happen(self, event: Event) -> None:
        """Note a reset, after which a qubit is |0⟩, or a measurement."""
        self.held = {q: clbit for q, clbit in self.held.items() if clbit != event.clbit}
        self.held.pop(event.qubit, None)
        if event.clbit is None:
            self.zero.add(event.qubit)
        else:
            self.held[event.qubit] = event.clbit

    def branch(
        self, branch: Branch, after: Sequence["KnownQubits"], clbits: Sequence[Clbit]
    ) -> None:
        """Note a branch: facts that hold after every body, and without any, hold after it.

        Where its X takes a measured 1 back to 0, the qubit is |0⟩, too.

        Args:
            branch: the operation.
            after: facts after each body.
            clbits: all classical bits.
        """
        cleared = _cleared(branch, {clbits[bit]: q for q, bit in self.held.items()})
        for body in after:
            self.zero &= body.zero
            self.held = {q: bit for q, bit in self.held.items() if body.held.get(q) == bit}
        self.zero |= cleared


def _cleared(branch: Branch, holders: Mapping[Clbit, int]) -> set[int]:
    """Return the qubit that a branch flips just where its own bit says that it is 1."""
    reads = branch.choice.reads
    if len(reads) != 1 or reads[0] not in holders:
        return set()
    where_one, where_zero = (branch.choice.body({reads[0]: value}) for value in (True, False))
    if where_one is None or (where_zero is not None and branch.bodies[where_zero]):
        return set()
    match branch.bodies[where_one]:
        case (Segment(circuit),) if len(circuit.data) == 1:
            (item,) = circuit.data
            if getattr(item.operation, "base_class", None) is XGate:
                return {circuit.find_bit(item.qubits[0]).index} & {holders[reads[0]]}
    return set()


Layout = tuple[int, ...]


def lower_dynamic(pipeline: Pipeline, circuit: QuantumCircuit, setting: Setting) -> Draft:
    """Lower a circuit that measures, resets or branches on the way.

    Each segment starts on the layout on which the one before it has ended, and only the first one
    from |0…0⟩. Later ones make use of qubits that are |0⟩ because they were reset, or not used
    before. The bodies of a branch start on the layout that they meet, and end on it. The
    first layout is the one that suits the first segment best, or one that suits all gates: the
    better of both results is returned. Where the setting has a start, that is the first layout.

    Args:
        pipeline: one that takes a start. One that approximates is Qiskit's level 3, which lowers
            a circuit as a whole.
        circuit: without final measurements.
        setting: the target, and how to get there.

    Raises:
        NothingToGainError: if operators are to be lowered as a whole.
    """
    if pipeline.approximates:
        return _as_a_whole(circuit, setting)
    pieces = pieces_of(circuit)
    thread = _Thread(pipeline, setting, circuit, setting.start)
    if setting.start is not None:
        return thread.lowered(pieces)
    everything = thread.lowered_gates(unconditional(circuit, apart=True), any_input=True)
    threads = [evolve(thread, layout=everything.initial_layout)]
    if pieces and isinstance(pieces[0], Segment):
        threads.append(thread)
    drafts = _through(threads, pieces)
    chosen = best(
        [(draft, figures(draft.circuit, setting.target)) for draft in drafts], setting.objective
    )
    return _placed(chosen, setting)


def _placed(draft: Draft, setting: Setting) -> Draft:
    if placement.name in setting.without:
        return draft
    return placed(draft, unconditional(draft.circuit), setting)


def _as_a_whole(circuit: QuantumCircuit, setting: Setting) -> Draft:
    if any(map(is_operator, unconditional(circuit).data)):
        raise NothingToGainError("operators are synthesised segment by segment")
    target, any_input = _dynamic(plain_target(setting)), setting.any_input
    draft = level_3(circuit, target, setting.seed, any_input=any_input, keep_slight=False)
    count = figures(draft.circuit, target)
    step = Step(qiskit_plain.name, count.two_qubit_gates, count.two_qubit_depth, not any_input)
    return _placed(evolve(draft, logical=circuit, steps=(step,)), setting)


@lru_cache(MAX_TARGETS)
def _dynamic(target: Target) -> Target:
    """Return a target that also measures, resets and branches, on all qubits."""
    wider = restricted(target, lambda *_: True)
    names, everywhere = set(target.operation_names), {(q,): None for q in range(target.num_qubits)}
    for gate in (Measure(), Reset()):
        if gate.name not in names:
            wider.add_instruction(gate, everywhere)
    for name, kind in (("if_else", IfElseOp), ("switch_case", SwitchCaseOp)):
        if name not in names:
            wider.add_instruction(kind, name=name)
    return wider


def _through(threads: Sequence["_Thread"], pieces: Pieces) -> list[Draft]:
    """Return the facts that survive: a layout may cut off a qubit that later gates need.

    Raises:
        LoweringError: if nothing does.
    """
    drafts: list[Draft] = []
    errors: list[LoweringError] = []
    for thread in threads:
        try:
            drafts.append(thread.lowered(pieces))
        except LoweringError as error:
            errors.append(error)
    if not drafts:
        raise errors[0]
    return drafts


@define
class _Thread:
    """A circuit that is written in native gates, segment after segment.

    Args:
        pipeline: that lowers segments.
        setting: of the lowering.
        source: the circuit on logical qubits.
        layout: for each logical qubit, the physical one that holds it now; None at first, if that
            is free.
    """

    pipeline: Pipeline
    setting: Setting
    source: QuantumCircuit
    layout: Layout | None
    initial: Layout | None = field(init=False, default=None)
    steps: list[tuple[Step, ...]] = field(init=False, factory=list)
    known: KnownQubits = field(init=False)

    def lowered(self, pieces: Pieces) -> Draft:
        qubits = self.setting.target.num_qubits or self.source.num_qubits
        source = self.source
        native = QuantumCircuit(
            QuantumRegister(qubits, "q"), source.clbits, *source.cregs, name=source.name
        )
        logical = source.copy_empty_like()
        self.initial = self.layout
        unused = range(0 if self.setting.any_input else self.source.num_qubits)
        self.known = KnownQubits(set(unused))
        self._write(pieces, native, logical, first=True)
        assert self.initial is not None
        assert self.layout is not None
        steps = _totals(self.steps)
        return Draft(native, self.initial, self.layout, logical=logical, steps=steps)

    def lowered_gates(self, circuit: QuantumCircuit, *, any_input: bool) -> Draft:
        """Lower gates from where the qubits are."""
        any_input = any_input or self.setting.any_input
        setting = evolve(self.setting, start=self.layout, any_input=any_input)
        return self.pipeline.lower(circuit, setting, ())

    def _simplified(self, circuit: QuantumCircuit) -> QuantumCircuit:
        """Return gates that are equivalent where qubits are |0⟩, for any state of the others."""
        setting, zero = self.setting, self.known.zero
        if not zero or dont_care.name in setting.without or setting.synthesis == "literal":
            return circuit
        return simplified(circuit, tuple(q for q in range(circuit.num_qubits) if q not in zero))

    def _write(
        self, pieces: Pieces, native: QuantumCircuit, logical: QuantumCircuit, *, first: bool
    ) -> None:
        for piece in pieces:
            match piece:
                case Segment():
                    self._segment(piece.circuit, native, logical, first=first)
                case Event():
                    self.known.happen(piece)
                    assert self.layout is not None
                    _happen(native, self.layout[piece.qubit], piece.clbit)
                    _happen(logical, piece.qubit, piece.clbit)
                case Branch():
                    self._branch(piece, native, logical)
            first = False

    def _segment(
        self,
        circuit: QuantumCircuit,
        native: QuantumCircuit,
        logical: QuantumCircuit,
        *,
        first: bool,
    ) -> None:
        if not first:
            circuit = self._simplified(circuit)
        self.known.change(acted_on(circuit))
        if self.layout is not None and _is_local(circuit):
            # Nothing has to be routed.
            placed = QuantumCircuit(native.num_qubits)
            placed.compose(circuit, self.layout, inplace=True)
            gates, plain = translated(placed, self.setting.target), circuit
        else:
            segment = self.lowered_gates(circuit, any_input=not first)
            assert segment.logical is not None
            self.steps.append(segment.steps)
            self.initial = self.initial or segment.initial_layout
            self.layout = segment.final_layout
            gates, plain = segment.circuit, segment.logical
        native.compose(gates, native.qubits[: gates.num_qubits], inplace=True)
        logical.compose(plain, logical.qubits, inplace=True)

    def _branch(self, piece: Branch, native: QuantumCircuit, logical: QuantumCircuit) -> None:
        met, before = self.layout, self.known
        assert met is not None
        natives, logicals, after = [], [], []
        for body in piece.bodies:
            inner, plain = native.copy_empty_like(), logical.copy_empty_like()
            self.known = before.copy()
            self._write(body, inner, plain, first=False)
            after.append(self.known)
            _restore(inner, self.layout or met, met, self.setting.target)
            self.layout = met
            natives.append(inner)
            logicals.append(plain)
        before.branch(piece, after, self.source.clbits)
        self.known = before
        _append_branch(native, piece, natives)
        _append_branch(logical, piece, logicals)


def _is_local(circuit: QuantumCircuit) -> bool:
    """Return whether all gates act on one qubit, and none is an operator with its own method."""
    return not circuit.num_nonlocal_gates() and not any(
        isinstance(item.operation, Operator) for item in circuit.data
    )


def _totals(segments: Sequence[Sequence[Step]]) -> tuple[Step, ...]:
    """Return the figures of all segments together after each pass, one step a pass.

    A segment that a pass has left out counts as it was before.
    """
    by_name = [{step.name: step for step in steps} for steps in segments]
    totals, now = [], [steps[0] for steps in segments]
    for name in dict.fromkeys(step.name for steps in segments for step in steps):
        ran = [steps.get(name) for steps in by_name]
        now = [step or before for step, before in zip(ran, now, strict=True)]
        totals.append(_total(name, now, from_zero=any(step.from_zero for step in ran if step)))
    return tuple(totals)


def _total(name: str, steps: Sequence[Step], *, from_zero: bool) -> Step:
    gates, depths = (
        None if None in counts else sum(filter(None, counts))
        for counts in zip(*((s.two_qubit_gates, s.two_qubit_depth) for s in steps), strict=True)
    )
    seconds = [step.seconds for step in steps if step.name == name and step.seconds is not None]
    return Step(name, gates, depths, from_zero, sum(seconds) if seconds else None)


def _happen(circuit: QuantumCircuit, qubit: int, clbit: int | None) -> None:
    circuit.reset(qubit) if clbit is None else circuit.measure(qubit, clbit)


def _append_branch(
    circuit: QuantumCircuit, branch: Branch, bodies: Sequence[QuantumCircuit]
) -> None:
    """Append a branch on those qubits and bits that it needs."""
    acted = {qubit for body in bodies for item in body.data for qubit in item.qubits}
    written = {bit for body in bodies for item in body.data for bit in item.clbits}
    qubits = [qubit for qubit in circuit.qubits if qubit in acted]
    clbits = [bit for bit in circuit.clbits if bit in written | set(branch.choice.reads)]
    registers = [register for register in circuit.cregs if set(register) <= set(clbits)]
    empty = QuantumCircuit(qubits, clbits, *registers)
    operation = branch.operation.replace_blocks([of_items(body.data, empty) for body in bodies])
    circuit.append(CircuitInstruction(operation, qubits, clbits))


def _restore(circuit: QuantumCircuit, now: Layout, wanted: Layout, target: Target) -> None:
    """Append swaps that bring every logical qubit back to where it was."""
    if now == wanted:
        return
    coupling = target.build_coupling_map() or CouplingMap.from_full(circuit.num_qubits)
    swapper = ApproximateTokenSwapper(coupling.graph.to_undirected(), seed=0)
    swaps = QuantumCircuit(circuit.num_qubits)
    for a, b in swapper.map(dict(zip(now, wanted, strict=True))):
        swaps.swap(a, b)
    native = translated(swaps, target)
    circuit.compose(native, circuit.qubits[: native.num_qubits], inplace=True)
