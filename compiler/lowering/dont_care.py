"""States that are never reached from |0…0⟩, found in polynomial time and used to save gates.

Two analyses, neither of which follows the state: patterns of pairs of qubits drop controls and
gates, and subspaces of small clusters make two-qubit blocks cheaper, as in `state_peephole`.

Gates that never fire and controls that say nothing, by the patterns that pairs can have.

Controls taken from one of several equal qubits, so that gates share it.

Which values pairs of qubits can have together, for circuits of any size.

For each pair of qubits the set of its patterns in the basis states that a state may have: an
over-approximation, kept in time linear in the number of qubits and controls for each gate.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate, Gate, Instruction

from compiler.caches import cached_rewriting
from compiler.circuits.basis_states import DIAGONAL
from compiler.circuits.gate_steps import zero_controls
from compiler.circuits.matrices import Bits, Numbers
from compiler.lowering.draft import ALL, Draft, Pass, Property, Setting
from compiler.lowering.reachable.clusters import Clusters
from compiler.lowering.state_peephole.blocks import with_rewritten
from compiler.lowering.state_peephole.two_qubit import cheaper_blocks
from compiler.targets.resonator import has_resonator

KEEPING = DIAGONAL | {"barrier", "delay"}
FLIPPING = frozenset({"x", "y"})


class Patterns:
    """The patterns that pairs of qubits can have, at the start those of |0…0⟩.

    Attributes:
        pairs: shape (qubits, qubits, 2, 2); at [a, b, x, y] whether a can be x while b is y. At
            [a, a] are the values of a.
    """

    def __init__(self, qubits: int) -> None:
        self.pairs: Bits = np.zeros((qubits, qubits, 2, 2), dtype=bool)
        self.pairs[:, :, 0, 0] = True

    def may_be(self, qubit: int, value: int) -> bool:
        """Return whether a qubit can have a value."""
        return bool(self.pairs[qubit, qubit, value, value])

    def implies(self, first: int, second: int) -> bool:
        """Return whether the second qubit is 1 wherever the first one is."""
        return not self.pairs[first, second, 1, 0]

    def may_all_be_one(self, qubits: Sequence[int]) -> bool:
        """Return whether no two of some qubits exclude each other."""
        return bool(self.pairs[np.ix_(qubits, qubits)][:, :, 1, 1].all())

    def flip(self, qubit: int) -> None:
        """Apply an X."""
        self.pairs[qubit] = self.pairs[qubit, :, ::-1].copy()
        self.pairs[:, qubit] = self.pairs[:, qubit, :, ::-1].copy()

    def swap(self, first: int, second: int) -> None:
        """Let two qubits change places."""
        order = np.arange(len(self.pairs))
        order[[first, second]] = second, first
        self.pairs = self.pairs[np.ix_(order, order)]

    def change(self, controls: Sequence[int], target: int, flips: bool) -> None:
        """Flip a qubit, or change it in some way, where all controls are 1."""
        pairs, old = self.pairs, self.pairs[:, target]
        fires: Bits = np.ones_like(old)
        idle: Bits = np.zeros_like(old)
        for control in controls:
            others, own = pairs[:, control], pairs[target, control]
            fires &= others[:, :, None, 1] & own[None, None, :, 1]
            idle |= others[:, :, None, 0] & own[None, None, :, 0]
        fires &= old & self.may_all_be_one(controls)
        turned: Bits = np.flip(fires, axis=2)
        new: Bits = np.logical_or(old & idle, turned if flips else turned | fires)
        values = np.logical_or(*new[target])
        pairs[:, target] = new
        pairs[target] = new.transpose(0, 2, 1)
        pairs[target, target] = np.diag(values)

    def forget(self, qubits: Iterable[int]) -> None:
        """Let something unknown happen to some qubits."""
        for qubit in qubits:
            self.change([], qubit, flips=False)

    def apply(self, gate: Instruction, qubits: Sequence[int]) -> None:
        """Apply a gate of any kind; an unknown one may do anything to its qubits."""
        if gate.name in KEEPING:
            return
        if gate.name == "swap":
            self.swap(*qubits)
        elif isinstance(gate, ControlledGate):
            self._apply_controlled(gate, qubits)
        elif len(qubits) == 1:
            self.change((), qubits[0], flips=gate.name in FLIPPING)
        elif gate.definition is not None:
            self.play(gate.definition, qubits)
        else:
            self.forget(qubits)

    def play(self, circuit: QuantumCircuit, places: Sequence[int]) -> None:
        """Apply a circuit, its qubit q on `places[q]`."""
        index = {qubit: places[i] for i, qubit in enumerate(circuit.qubits)}
        for item in circuit.data:
            self.apply(item.operation, [index[qubit] for qubit in item.qubits])

    def _apply_controlled(self, gate: ControlledGate, qubits: Sequence[int]) -> None:
        controls, targets = qubits[: gate.num_ctrl_qubits], qubits[gate.num_ctrl_qubits :]
        closed = zero_controls(gate, qubits)
        for qubit in closed:
            self.flip(qubit)
        if gate.base_gate.name == "swap":
            first, second = targets
            self.change([second], first, flips=True)
            self.change([*controls, first], second, flips=True)
            self.change([second], first, flips=True)
        elif gate.base_gate.name not in DIAGONAL:
            for target in targets:
                self.change(controls, target, gate.base_gate.name in FLIPPING)
        for qubit in closed:
            self.flip(qubit)


PHASES = frozenset({"z", "s", "sdg", "t", "tdg", "p", "u1"})
"""Gates that only change the sign or phase of 1, so that their qubit is one more control."""


def without_idle_controls(
    circuit: QuantumCircuit, reachable: Patterns | None = None
) -> QuantumCircuit:
    """Return a circuit that does the same where the reachable patterns hold.

    Controlled gates whose controls exclude each other are dropped, and so are controls that are
    always met, or met wherever another one is; swaps of qubits that are always equal too.

    Args:
        circuit: gates of any kind; no measurements.
        reachable: patterns before the circuit, changed to those after it; |0…0⟩ by default.

    Returns:
        The circuit itself if there is nothing to drop.
    """
    patterns = Patterns(circuit.num_qubits) if reachable is None else reachable
    index = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    simpler, changed = circuit.copy_empty_like(), False
    for item in circuit.data:
        gate, qubits = item.operation, [index[qubit] for qubit in item.qubits]
        outcome = _simplified(gate, qubits, patterns)
        changed = changed or outcome is None or outcome[0] is not gate
        if outcome is not None:
            simpler.append(*outcome)
        patterns.apply(gate, qubits)
    return simpler if changed else circuit


def _simplified(
    gate: Instruction, qubits: list[int], patterns: Patterns
) -> tuple[Instruction, list[int]] | None:
    if gate.name == "swap":
        first, second = qubits
        same = not (patterns.pairs[first, second, 0, 1] or patterns.pairs[first, second, 1, 0])
        return None if same else (gate, qubits)
    if not isinstance(gate, ControlledGate) or gate.base_gate.num_qubits > 1:
        return gate, qubits
    closed = zero_controls(gate, qubits)
    for qubit in closed:
        patterns.flip(qubit)
    phase = gate.base_gate.name in PHASES
    conditions = qubits if phase else qubits[:-1]
    needed = _needed(conditions, patterns)
    for qubit in closed:
        patterns.flip(qubit)
    if needed is None or (phase and not needed):
        return None
    opened = [qubit for qubit in needed if qubit not in closed]
    if len(needed) == len(conditions) or (phase and not opened):
        return gate, qubits
    target = opened[-1] if phase else qubits[-1]
    places = [*(qubit for qubit in needed if qubit != target), target]
    return _controlled(gate.base_gate, places, closed), places


def _needed(conditions: Sequence[int], patterns: Patterns) -> list[int] | None:
    """Return the qubits that must be asked to know whether all are 1; None if they never are."""
    if not patterns.may_all_be_one(conditions):
        return None
    needed = list(conditions)
    for qubit in conditions:
        others = [other for other in needed if other != qubit]
        always_one = not patterns.may_be(qubit, 0)
        if always_one or any(patterns.implies(other, qubit) for other in others):
            needed = others
    return needed


def _controlled(base: Gate, places: Sequence[int], closed: Sequence[int]) -> Gate:
    controls = places[:-1]
    if not controls:
        return base
    state = sum(1 << i for i, qubit in enumerate(controls) if qubit not in closed)
    return base.control(len(controls), ctrl_state=state)


SWEEPS = 4


@cached_rewriting
def simplified(circuit: QuantumCircuit, unknown: tuple[int, ...] = ()) -> QuantumCircuit:
    """Return a circuit that prepares the same state from |0…0⟩ with no more two-qubit gates.

    Gates, as long as they are not wider than two qubits, are written in CX and `u` where they
    become cheaper; wider ones lose controls.

    Args:
        circuit: gates and barriers, of any size; no measurements.
        unknown: qubits that may start in any state, also entangled with others;
            all others start in |0⟩.

    Returns:
        The circuit itself if nothing is gained.
    """
    for _ in range(SWEEPS):
        patterns, clusters = Patterns(circuit.num_qubits), Clusters()
        patterns.forget(unknown)
        clusters.forget(unknown)
        fewer = cheaper_blocks(without_idle_controls(circuit, patterns), clusters)
        if fewer is circuit:
            break
        circuit = fewer
    return circuit


def _run(draft: Draft, setting: Setting) -> Draft:
    return with_rewritten(draft, simplified(draft.circuit), setting.target)


dont_care = Pass("dont-care", _run, preserves=ALL, from_zero=True)


def with_shared_controls(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit that prepares the same state from |0…0⟩, controls on the oldest copies.

    Wherever the control of a gate is equal to other qubits in all basis states that are reached,
    the gate may as well ask one of those: the one that had its first gate before the others. A
    chain of CX from |0…0⟩ becomes a fan, all of whose gates have one control.

    Args:
        circuit: gates of any kind; no measurements.

    Returns:
        The circuit itself if no gate asks another qubit.
    """
    patterns = Patterns(circuit.num_qubits)
    index = {qubit: place for place, qubit in enumerate(circuit.qubits)}
    age = np.full(circuit.num_qubits, len(circuit.data))
    shared, changed = circuit.copy_empty_like(), False
    for time, item in enumerate(circuit.data):
        gate, qubits = item.operation, [index[qubit] for qubit in item.qubits]
        age[qubits] = np.minimum(age[qubits], time)
        places = _oldest(gate, qubits, patterns, age)
        changed = changed or places != qubits
        shared.append(gate, places, item.clbits)
        patterns.apply(gate, qubits)
    return shared if changed else circuit


def _oldest(
    gate: Instruction, qubits: Sequence[int], patterns: Patterns, age: Numbers
) -> list[int]:
    """Return a gate's qubits, with the oldest equal ones in the place of its controls."""
    places = list(qubits)
    if not isinstance(gate, ControlledGate):
        return places
    symmetric = gate.base_gate.name in PHASES
    for operand in range(len(places) if symmetric else gate.num_ctrl_qubits):
        differ = patterns.pairs[places[operand], :, [0, 1], [1, 0]].any(axis=0)
        equal = [q for q in np.flatnonzero(~differ).tolist() if q not in places]
        places[operand] = min((places[operand], *equal), key=lambda q: (age[q], q))
    return places


def _share(draft: Draft, setting: Setting) -> Draft:
    return draft.with_circuit(with_shared_controls(draft.circuit))


shared_controls = Pass(
    "shared-controls", _share, preserves={Property.GATES}, from_zero=True, suits=has_resonator
)
