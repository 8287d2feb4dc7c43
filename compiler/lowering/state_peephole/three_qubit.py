"""Windows on three qubits, rewritten with regard to the state that reaches them.

What a window does to the support of its qubits' reduced state is fitted by templates with one
two-qubit gate less. Unlike a block's, the class of a window is not known in closed form, so this
is a search; it finds savings on full supports too, since compilers stop at two qubits.
"""

from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from compiler.caches import cached_rewriting
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.native import translated
from compiler.lowering.passes import ALL, Pass, Property
from compiler.lowering.state_peephole.blocks import is_native
from compiler.lowering.state_peephole.two_qubit import AMPLITUDES_PER_CANDIDATE, in_small_states
from compiler.lowering.state_peephole.window_search import Pair, WindowSearch
from compiler.targets.resonator import without_resonator

MOST_GATES = 4_000
"""Two-qubit gates beyond which there are too many windows."""

PATIENCE = 8
"""Times that as many gates are tried without a gain, where a result is refined."""


@cached_rewriting
def window_rewritten(
    circuit: QuantumCircuit, coupled: frozenset[Pair] | None, budget: int, patience: int
) -> QuantumCircuit:
    """Return a circuit that prepares the same state with fewer two-qubit gates, if one is found.

    Args:
        circuit: gates and barriers; no measurements.
        coupled: pairs that may interact, each in both orders; None for all.
        budget: candidates; each allows some trials, and some amplitudes of the state.
        patience: how often windows are written with as many gates without any gain, to go on from
            there.

    Returns:
        The circuit itself if nothing is gained. What is changed is written in CX, CZ and `u`.
    """
    amplitudes = AMPLITUDES_PER_CANDIDATE * budget
    search = WindowSearch(coupled, amplitudes, budget)
    first = in_small_states(circuit, amplitudes)
    best = found = search.settled(first)
    idle = 0
    while idle < patience and search.budget > 0:
        idle += 1
        found = search.settled(search.swept(found, alike=True))
        if found.num_nonlocal_gates() < best.num_nonlocal_gates():
            best, idle = found, 0
    return circuit if best is first else best


def _run(draft: Draft, setting: Setting) -> Draft:
    native = is_native(draft.circuit, setting.target)
    coupled = _coupled(draft.circuit, setting.target, native)
    found = _rewritten(draft, coupled, setting, PATIENCE)
    if found is draft:
        return draft
    return evolve(found, circuit=translated(found.circuit, setting.target)) if native else found


def _run_before_routing(draft: Draft, setting: Setting) -> Draft:
    return _rewritten(draft, None, setting, 0)


def _rewritten(
    draft: Draft, coupled: frozenset[Pair] | None, setting: Setting, patience: int
) -> Draft:
    if draft.circuit.num_nonlocal_gates() > MOST_GATES:
        return draft
    found = window_rewritten(draft.circuit, coupled, setting.budget, patience)
    return draft if found is draft.circuit else evolve(draft, circuit=found)


def _coupled(circuit: QuantumCircuit, target: Target, native: bool) -> frozenset[Pair] | None:
    """Return the pairs that may interact without undoing a routing."""
    coupling = target.build_coupling_map()
    if coupling is None:
        return None
    used = (
        tuple(circuit.find_bit(qubit).index for qubit in item.qubits)
        for item in circuit.data
        if len(item.qubits) == 2
    )
    edges = coupling.get_edges() if native else used
    return frozenset(pair for a, b in edges for pair in ((a, b), (b, a)))


logical_window = Pass(
    "state-window", _run_before_routing, preserves={Property.GATES}, from_zero=True
)
state_window = Pass("state-window", _run, preserves=ALL, from_zero=True, suits=without_resonator)
