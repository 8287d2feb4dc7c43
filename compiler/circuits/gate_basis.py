"""Circuits written in given gates by Qiskit's translation alone, without optimisation."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from functools import cache
from threading import Lock

from qiskit import QuantumCircuit, generate_preset_pass_manager
from qiskit.transpiler import StagedPassManager


def in_basis(
    circuit: QuantumCircuit, basis: Iterable[str], *, from_zero: bool = False
) -> QuantumCircuit:
    """Return a circuit in given gates, as `transpile` does at optimisation level 0.

    Args:
        circuit: without couplings to keep to.
        basis: names of Qiskit's gates.
        from_zero: whether qubits without a gate so far may be taken for clean ancillas.
    """
    manager, lock = _manager(tuple(basis), from_zero)
    with lock:
        return manager.run(circuit)


@cache
def _manager(
    basis: tuple[str, ...], from_zero: bool
) -> tuple[StagedPassManager, AbstractContextManager[bool]]:
    """Return a pass manager and its lock: to prepare one takes longer than most runs of it."""
    manager = generate_preset_pass_manager(
        0, basis_gates=list(basis), qubits_initially_zero=from_zero
    )
    return manager, Lock()
