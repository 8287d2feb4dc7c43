"""Translation of routed circuits into native gates, every qubit staying where it is."""

from functools import lru_cache
from threading import get_ident

from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.transpiler import StagedPassManager, Target, generate_preset_pass_manager

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.passes import Pass, Property

PREPARED = 16
"""Pass managers that are remembered."""


def translated(physical: QuantumCircuit, target: Target, level: int = 1) -> QuantumCircuit:
    """Return a routed circuit in the target's native gates, right on any input.

    Args:
        physical: gates on the target's qubits, two-qubit gates on coupled pairs.
        target: whose gates are wanted.
        level: Qiskit's optimisation level; 3 writes two-qubit blocks anew.
    """
    return _manager(target, tuple(target.operation_names), level, get_ident()).run(physical)


@lru_cache(PREPARED)
def _manager(target: Target, _: tuple[str, ...], level: int, __: int) -> StagedPassManager:
    """Return what translates: to prepare it takes several times as long as to run it.

    No other thread has the same one, and a target that has got other gates gets a new one.
    """
    manager = generate_preset_pass_manager(level, target=target, qubits_initially_zero=False)
    manager.init = manager.layout = manager.routing = None
    return manager


def _translate(draft: Draft, setting: Setting) -> Draft:
    return evolve(draft, circuit=translated(draft.circuit, setting.target))


translation = Pass(
    "translate",
    _translate,
    establishes={Property.NATIVE},
    preserves={Property.GATES, Property.LAYOUT, Property.ROUTING},
)
