"""Quantinuum's tket: peephole optimisation and resynthesis of circuits of CX and one-qubit gates.

tket is imported where it runs. Its own extension for Qiskit converts every gate, but loads IBM's
SDK and all that it needs first: seconds in every process that compiles.
"""

from collections.abc import Mapping, Sequence
from math import pi, remainder
from typing import TYPE_CHECKING, cast

from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, ParameterExpression, Qubit

from compiler.caches import cached
from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.gate_basis import in_basis
from compiler.circuits.tolerances import SAME
from compiler.errors import LoweringError
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.lowering.barriers import between_barriers
from compiler.lowering.draft import Draft, Pass, Property, Setting
from compiler.lowering.mirror.unitaries import merged_cost
from compiler.lowering.qiskit_level_3 import after
from compiler.lowering.state_peephole.blocks import blocks_of
from compiler.synthesis.parameters import is_free
from compiler.targets.target import is_coupled

if TYPE_CHECKING:
    from pytket.circuit import Circuit
    from pytket.passes import BasePass
    from sympy import Expr

BASIS = ("cx", "rz", "sx", "x")
"""Gates in which circuits are written for tket."""
TKET_NAMES = {
    "cx": "CX", "cy": "CY", "cz": "CZ", "h": "H", "rx": "Rx", "ry": "Ry", "rz": "Rz", "s": "S",
    "sdg": "Sdg", "sx": "V", "sxdg": "Vdg", "x": "X", "y": "Y", "z": "Z",
}  # fmt: skip
"""tket's names of these gates, of those that it builds and of their inverses, by Qiskit's."""
QISKIT_NAMES = {theirs: name for name, theirs in TKET_NAMES.items()} | {"SX": "sx"}
PHASES = {"V": 1 / 4, "Vdg": -1 / 4}
"""Half turns by which the phase of a gate of Qiskit's is ahead of that of tket's."""


def _gates() -> dict[str, CircuitInstruction]:
    circuit = QuantumCircuit(2)
    for name in TKET_NAMES:
        gate = getattr(circuit, name)
        gate(*[0.0] * (name in TURNS), *range(2 if name in ENTANGLING else 1))
    return {item.name: item for item in circuit.data}


ENTANGLING, TURNS = ("cx", "cy", "cz"), ("rx", "ry", "rz")
GATES = _gates()
"""Instances of these gates by name, of which Qiskit holds no Python objects.

To replace their angles and qubits takes a fraction of the time that new objects take.
"""
INVERSES = {name: name for name in TKET_NAMES} | {
    "s": "sdg", "sdg": "s", "sx": "sxdg", "sxdg": "sx",
}  # fmt: skip

Gate = tuple[str, tuple[float, ...], tuple[int, ...]]
"""Name, angles and qubits of a gate."""

QUICK_SIZE, MAX_SIZE = 30_000, 200_000
"""Qubits times rotations up to which circuits are resynthesised."""

WEIGHTS = ((0.7, 0.0), (0.9, 0.3), (0.9, 0.0), (0.7, 0.3))
"""Discount rate of later rotations, and weight of depth beside gates."""
QUICK_TRIALS = 2
"""Trials where few candidates must do: of two weights, or of one in both directions of time."""
GENERIC = 2.5
"""Rotations for each two-qubit gate from which on a quick attempt builds nothing anew: so many
angles lie between gates that few of them commute."""
DENSE = 8
"""Rotations for each qubit from which on a quick attempt builds nothing anew as a whole for a
device with a coupling map, if there are no fewer than two-qubit gates: each takes one at least,
unless few others lie between."""
QUICK_FAR, FAR = 1.0, 1.2
"""Gates of the first trial, over those of the circuit, from which on no other trial is made."""


def to_tket(circuit: QuantumCircuit) -> "Circuit":
    """Return a circuit of these gates as tket's, qubit i as `q[i]`; its global phase too.

    Angles are radians in Qiskit and half turns in tket. A parameter is the symbol of its name, an
    angle that is not linear in parameters the symbol of its text: see `symbols_of`.

    Raises:
        LoweringError: if the circuit has another operation than these and barriers.
    """
    from pytket.circuit import Circuit, OpType

    converted = Circuit(circuit.num_qubits)
    phase = turns_of(circuit.global_phase)
    index = {qubit: place for place, qubit in enumerate(circuit.qubits)}
    types = {name: getattr(OpType, theirs) for name, theirs in TKET_NAMES.items()}
    for item in circuit.data:
        name, at = item.name, [index[qubit] for qubit in item.qubits]
        if name == "barrier":
            converted.add_barrier(at)
        else:
            converted.add_gate(types[name], [turns_of(angle) for angle in item.params], at)
            phase += PHASES.get(TKET_NAMES[name], 0.0)
    converted.add_phase(phase)
    return converted


def from_tket(circuit: "Circuit", like: QuantumCircuit) -> QuantumCircuit:
    """Return tket's circuit of these gates; index i becomes qubit i.

    A permutation that tket keeps beside the circuit is not applied.

    Args:
        circuit: made from another one.
        like: that one, with as many qubits and with the parameters that symbols stand for.

    Raises:
        LoweringError: if an angle is not linear in symbols.
    """
    symbols = symbols_of(like)
    converted = QuantumCircuit(like.num_qubits, global_phase=radians_of(circuit.phase, symbols))
    qubits, phase = converted.qubits, 0.0
    for command in circuit.get_commands():
        operation, at = command.op, [qubits[qubit.index[0]] for qubit in command.qubits]
        if operation.type.name == "Barrier":
            converted.barrier(at)
        else:
            name = operation.type.name
            angles = [radians_of(turns, symbols) for turns in operation.params]
            converted._append(item_of(QISKIT_NAMES[name], angles, at))
            phase -= PHASES.get(name, 0.0)
    converted.global_phase += phase * pi
    return converted


def item_of(
    name: str, angles: Sequence[float | ParameterExpression], qubits: Sequence[Qubit]
) -> CircuitInstruction:
    """Return an instruction of a gate of the basis, or of the inverse of one."""
    return GATES[name].replace(params=angles, qubits=qubits)


def symbols_of(circuit: QuantumCircuit) -> dict[str, ParameterExpression]:
    """Return the meaning of the symbols of a circuit's angles, by name."""
    angles = [circuit.global_phase, *(angle for item in circuit.data for angle in item.params)]
    free = [angle for angle in angles if is_free(angle)]
    symbols: dict[str, ParameterExpression] = {each.name: each for each in circuit.parameters}
    return symbols | {str(angle): angle for angle in free if _terms(angle.sympify()) is None}


def turns_of(angle: float | ParameterExpression) -> "float | Expr":
    """Return an angle in half turns, with symbols for parameters."""
    if not isinstance(angle, ParameterExpression) or not angle.parameters:
        return float(angle) / pi
    from sympy import Symbol

    terms = _terms(angle.sympify())
    if terms is None:
        return Symbol(str(angle)) / pi
    return sum(factor / pi * (Symbol(name) if name else 1) for name, factor in terms.items())


def radians_of(
    turns: "float | Expr", symbols: Mapping[str, ParameterExpression]
) -> float | ParameterExpression:
    """Return half turns in radians, with parameters for symbols.

    Raises:
        LoweringError: if they are not linear in symbols.
    """
    if isinstance(turns, int | float):
        return turns * pi
    terms = _terms(turns)
    if terms is None:
        raise LoweringError(f"tket returns an angle that is not linear in symbols: {turns}")
    return sum(factor * pi * (symbols[name] if name else 1.0) for name, factor in terms.items())


def _terms(expression: "Expr") -> dict[str, float] | None:
    """Return the factors of symbols by name, of 1 by ""; None if an expression is not linear."""
    factors = {}
    for key, factor in expression.expand().as_coefficients_dict().items():
        if not (key.is_Symbol or key == 1):
            return None
        factors[key.name if key.is_Symbol else ""] = float(factor)
    return factors


def plain_gates(draft: Draft, setting: Setting) -> QuantumCircuit:
    """Return a draft's circuit in the gates that are written for tket."""
    return in_basis(draft.circuit, BASIS, from_zero=not setting.any_input)


def _peephole(draft: Draft, setting: Setting) -> Draft:
    """Optimise as if all qubits were coupled; qubits may change places."""
    return after(draft, _peephole_optimised(qpy_bytes(plain_gates(draft, setting))))


@cached
def _peephole_optimised(qpy: bytes) -> Draft:
    """Cached, because it takes most of the time and is the same for every target and seed."""
    from pytket.circuit import OpType
    from pytket.passes import AutoRebase, FullPeepholeOptimise, SequencePass

    peephole = FullPeepholeOptimise(allow_swaps=True)
    rebase = AutoRebase({OpType.CX, OpType.Rz, OpType.SX, OpType.X})
    return _optimised(read_qpy(qpy, "synthesised"), SequencePass([peephole, rebase]))


def _optimised(plain: QuantumCircuit, rewriting: "BasePass") -> Draft:
    """Run a pass of tket's on a circuit."""
    from pytket.circuit import Qubit
    from pytket.predicates import CompilationUnit

    unit = CompilationUnit(to_tket(plain))
    rewriting.apply(unit)
    at_end = {new: old for old, new in unit.circuit.implicit_qubit_permutation().items()}
    qubits = [Qubit("q", i) for i in range(plain.num_qubits)]
    return Draft(
        from_tket(unit.circuit, plain),
        tuple(unit.initial_map[qubit].index[0] for qubit in qubits),
        tuple(at_end[cast("Qubit", unit.final_map[qubit])].index[0] for qubit in qubits),
    )


@between_barriers
def _resynthesise(draft: Draft, setting: Setting) -> Draft:
    """Build the circuit anew from its Pauli rotations and the Clifford operation beside them.

    Qubits may change places, as if all were coupled. The draft stays as it is where that takes
    too long, or no fewer gates than its blocks of two qubits do; quick attempts merge gates of
    both first if all qubits are coupled.
    """
    plain = plain_gates(draft, setting)
    max_size = QUICK_SIZE if setting.quick else MAX_SIZE
    coupled, rotations = is_coupled(setting.target), _rotations(plain)
    gates, qubits = plain.num_nonlocal_gates(), plain.num_qubits
    # Where all qubits are coupled, what is saved is not lost in routing.
    dense = coupled and rotations >= max(gates, DENSE * qubits)
    hopeless = setting.quick and (dense or rotations >= GENERIC * gates)
    # Two qubits are a block, which is written anew without tket.
    if qubits < 3 or qubits * rotations > max_size or hopeless:
        return draft
    trials = QUICK_TRIALS if setting.quick else len(WEIGHTS) * (1 + setting.any_input)
    far = QUICK_FAR if setting.quick else FAR
    resynthesised, saved = _from_rotations(
        qpy_bytes(plain), trials, far, both=setting.any_input, rebased=coupled
    )
    if not setting.quick or coupled:
        saved = _gates_of_blocks(plain) - resynthesised.circuit.num_nonlocal_gates()
    return after(draft, resynthesised) if saved > 0 else draft


def _rotations(plain: QuantumCircuit) -> int:
    """Return the number of gates that are no Clifford gates."""
    angles = [item.params[0] for item in plain.data if item.name == "rz"]
    return sum(is_free(angle) or abs(remainder(angle, pi / 2)) > SAME for angle in angles)


def is_generic(plain: QuantumCircuit) -> bool:
    """Return whether quick attempts build nothing anew, see `GENERIC`."""
    return _rotations(plain) >= GENERIC * plain.num_nonlocal_gates()


def _gates_of_blocks(plain: QuantumCircuit) -> int:
    """Return the CX that are left where each block of gates on two qubits is built anew."""
    return sum(
        block.two_qubit_gates if block.matrix is None else cx_cost(block.matrix)
        for block in blocks_of(plain)
        if block.two_qubit_gates
    )


@cached
def _from_rotations(
    qpy: bytes, trials: int, far: float, *, both: bool, rebased: bool
) -> tuple[Draft, int]:
    """Return the best of some trials, each with another weight or in another direction of time.

    A greedy synthesis takes other gates for the inverse of a circuit.

    Args:
        qpy: the circuit.
        trials: their number; an even one in both directions.
        far: gates of the first trial, over the circuit's, from which on it is the only one.
        both: whether each weight is tried from the beginning and from the end.
        rebased: see `_pauli_pass`.

    Returns:
        Also the gates that it saves after gates that commute are merged.
    """
    forwards, backwards = (trials // 2, trials // 2) if both else (trials, 0)
    plain = read_qpy(qpy, "synthesised")
    before = merged_cost(plain)
    passes = [_pauli_pass(*weights, rebased=rebased) for weights in WEIGHTS]
    first = _optimised(plain, passes[0])
    if (cost := merged_cost(first.circuit)) >= far * before:
        return first, before - cost
    inverse = _inverted(plain)
    drafts = [
        *(_optimised(plain, each) for each in passes[1:forwards]),
        *(_inverse(_optimised(inverse, each)) for each in passes[:backwards]),
    ]
    costs = [cost, *(merged_cost(each.circuit) for each in drafts)]
    _, _, best = min(
        (cost, each.circuit.depth(), place)
        for place, (cost, each) in enumerate(zip(costs, [first, *drafts], strict=True))
    )
    return [first, *drafts][best], before - costs[best]


def from_rotations(plain: QuantumCircuit, *, rebased: bool) -> Draft:
    """Build a circuit of these gates anew from its Pauli rotations; see `_pauli_pass`."""
    return _optimised(plain, _pauli_pass(*WEIGHTS[0], rebased=rebased))


def _inverse(draft: Draft) -> Draft:
    return Draft(_inverted(draft.circuit), draft.final_layout, draft.initial_layout)


def _inverted(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return the inverse of a circuit of these gates."""
    inverse = QuantumCircuit(circuit.qubits, global_phase=-circuit.global_phase)
    for item in reversed([*circuit.data]):
        inverse._append(
            item_of(INVERSES[item.name], [-angle for angle in item.params], item.qubits)
        )
    return inverse


def _pauli_pass(rate: float, weight: float, *, rebased: bool) -> "BasePass":
    """Return tket's resynthesis of Pauli rotations.

    Args:
        rate: see `WEIGHTS`.
        weight: likewise.
        rebased: whether gates are written in few kinds before and after, which takes as long as
            all else. Searches for routes depend on it by chance.
    """
    from pytket.circuit import OpType
    from pytket.passes import AutoRebase, GreedyPauliSimp, SequencePass

    resynthesis = GreedyPauliSimp(discount_rate=rate, depth_weight=weight)
    if not rebased:
        return resynthesis
    taken = AutoRebase({OpType.CX, OpType.Rz, OpType.H, OpType.X})
    native = AutoRebase({OpType.CX, OpType.Rz, OpType.SX, OpType.X})
    return SequencePass([taken, resynthesis, native])


tket_peephole = Pass("tket-peephole", _peephole, preserves={Property.GATES})
tket_rotations = Pass(
    "pauli-rotations",
    _resynthesise,
    preserves={Property.GATES},
    takes_parameters=True,
    rebuilds=True,
)
