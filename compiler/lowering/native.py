"""Translation of routed circuits into native gates, every qubit staying where it is."""

from contextlib import AbstractContextManager
from functools import lru_cache
from threading import Lock

from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.transpiler import PassManager, StagedPassManager, Target, generate_preset_pass_manager
from qiskit.transpiler.passes import VF2PostLayout

from compiler.errors import LoweringError
from compiler.lowering.draft import Draft, Pass, Property, Setting
from compiler.targets.resonator import without_resonator

MAX_MANAGERS = 16
"""Size of the cache of pass managers."""


def translated(physical: QuantumCircuit, target: Target, level: int = 1) -> QuantumCircuit:
    """Return a routed circuit in the target's native gates, right on any input.

    Args:
        physical: gates on the target's qubits, two-qubit gates on coupled pairs.
        target: whose gates are wanted.
        level: Qiskit's optimisation level; 3 writes two-qubit blocks anew.
    """
    manager, lock = _manager(target, tuple(target.operation_names), level)
    with lock:
        return manager.run(physical)


@lru_cache(MAX_MANAGERS)
def _manager(
    target: Target, _: tuple[str, ...], level: int
) -> tuple[StagedPassManager, AbstractContextManager[bool]]:
    """Return the pass manager of a target with these operations, and its lock.

    To prepare it takes several times as long as to run it; it can be run by one thread at a time.
    """
    manager = generate_preset_pass_manager(level, target=target, qubits_initially_zero=False)
    manager.init = manager.layout = manager.routing = None
    leave_out_post_layout(manager)
    return manager, Lock()


def leave_out_post_layout(manager: StagedPassManager) -> None:
    """Leave out the passes that move a routed circuit to other qubits."""
    for name in ("routing", "optimization"):
        if (stage := getattr(manager, name, None)) is not None:
            tasks = [
                task
                for task in stage.to_flow_controller().tasks
                if not any(
                    isinstance(each, VF2PostLayout) for each in getattr(task, "tasks", (task,))
                )
            ]
            setattr(manager, name, PassManager(tasks))


def _translate(draft: Draft, setting: Setting) -> Draft:
    return evolve(draft, circuit=translated(draft.circuit, setting.target))


def _stay(draft: Draft, setting: Setting) -> Draft:
    """Return a draft whose qubit q is the target's qubit q.

    Raises:
        LoweringError: if a gate acts on two qubits that are not coupled.
    """
    coupling = setting.target.build_coupling_map()
    pairs = None if coupling is None else {frozenset(pair) for pair in coupling}
    for item in draft.circuit.data:
        places = frozenset(draft.circuit.find_bit(qubit).index for qubit in item.qubits)
        if pairs is not None and item.name != "barrier" and len(places) > 1 and places not in pairs:
            raise LoweringError(f"pipeline 'in-place': qubits {sorted(places)} are not coupled")
    return draft.relabelled(draft.final_layout, setting.target.num_qubits)


in_place = Pass(
    "in-place",
    _stay,
    establishes={Property.LAYOUT, Property.ROUTING},
    preserves={Property.GATES},
    suits=without_resonator,
)

translation = Pass(
    "translate",
    _translate,
    establishes={Property.NATIVE},
    preserves={Property.GATES, Property.LAYOUT, Property.ROUTING},
)
