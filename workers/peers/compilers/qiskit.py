"""Qiskit's preset pass manager at its highest level."""

from collections.abc import Sequence

from qiskit import QuantumCircuit, transpile
from qiskit.transpiler import StagedPassManager, Target, generate_preset_pass_manager

from compiler.dynamic.pieces import is_dynamic
from compiler.lowering import Draft
from workers.peers.compilers.branches import branching
from workers.peers.peer import CompilerInputs, Variant, peer


def routed(circuit: QuantumCircuit, target: Target, variant: Variant) -> int:
    """Return the swaps of LightSABRE with the trials of level 3."""
    manager = generate_preset_pass_manager(3, target=target, seed_transpiler=variant.seed)
    alone = StagedPassManager(("layout", "routing"), layout=manager.layout, routing=manager.routing)
    return int(alone.run(circuit).count_ops().get("swap", 0))


@peer("qiskit", "qiskit", dynamic=True, swaps=routed)
def level_3(work: CompilerInputs, target: Target, variant: Variant) -> Draft:
    """Call `qiskit.transpile` at optimisation level 3."""
    circuit = work.gates
    native = transpile(
        circuit,
        target=branching(target) if is_dynamic(circuit) else target,
        optimization_level=3,
        seed_transpiler=variant.seed,
        qubits_initially_zero=work.from_zero,
    )
    places: Sequence[int] = range(circuit.num_qubits)
    if native.layout is None:
        return Draft(native, tuple(places), tuple(places))
    initial = native.layout.initial_index_layout(filter_ancillas=True)
    final = native.layout.final_index_layout()
    return Draft(native, tuple(initial), tuple(final))
