"""Translation of routed circuits into native gates, every qubit staying where it is."""

from collections.abc import Callable

from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.transpiler import Target, generate_preset_pass_manager

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.passes import Pass, Property


def translator(target: Target, level: int = 1) -> Callable[[QuantumCircuit], QuantumCircuit]:
    """Return `translated` for many circuits: to prepare it takes longer than to run it.

    It is not to be called from several threads at once.
    """
    manager = generate_preset_pass_manager(level, target=target, qubits_initially_zero=False)
    manager.init = manager.layout = manager.routing = None
    return manager.run


def translated(physical: QuantumCircuit, target: Target, level: int = 1) -> QuantumCircuit:
    """Return a routed circuit in the target's native gates, right on any input.

    Args:
        physical: gates on the target's qubits, two-qubit gates on coupled pairs.
        target: whose gates are wanted.
        level: Qiskit's optimisation level; 3 writes two-qubit blocks anew.
    """
    return translator(target, level)(physical)


def _translate(draft: Draft, setting: Setting) -> Draft:
    return evolve(draft, circuit=translated(draft.circuit, setting.target))


translation = Pass(
    "translate",
    _translate,
    establishes={Property.NATIVE},
    preserves={Property.GATES, Property.LAYOUT, Property.ROUTING},
)
