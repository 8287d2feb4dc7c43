"""Rivals of a routed circuit that must hold on any input, and the choice among drafts."""

from collections.abc import Iterable

import numpy as np

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.figures import figures
from compiler.lowering.line.ladder import ladder_of
from compiler.lowering.line.long_lines import long_line
from compiler.lowering.mirror.problem import device_of
from compiler.lowering.mirror.source import Source, largest_component
from compiler.lowering.native import translated
from compiler.lowering.portfolio import best
from compiler.lowering.qiskit_level_3 import after


def laddered(source: Source, setting: Setting) -> Draft | None:
    """Return a circuit of phases between many wires along a line, without a swap.

    Args:
        source: what is lowered.
        setting: the target.

    Returns:
        None where it is no such circuit, or no line is long enough.
    """
    gates = source.gates
    if source.start is not None or not len(gates.wires):
        return None
    ladder = ladder_of(gates)
    if ladder is None:
        return None
    count = len(gates.ends)
    qubits, edges = largest_component(setting.target, count)
    line = qubits[long_line(device_of(edges).neighbours)[:count]]
    if len(line) < count:
        return None
    places = np.empty(count, np.int32)
    places[ladder.order] = line
    circuit = translated(ladder.circuit(line, setting.target.num_qubits), setting.target)
    layout = tuple(places.tolist())
    return after(source.draft, Draft(circuit, layout, layout))


def best_of(drafts: Iterable[Draft], setting: Setting) -> Draft:
    """Return the best draft by the setting's objective, of as good ones the first."""
    found = list(drafts)
    if len(found) > 1 and setting.objective == "two_qubit_gates":
        least = min(each.circuit.num_nonlocal_gates() for each in found)
        found = [each for each in found if each.circuit.num_nonlocal_gates() == least][:1]
    if len(found) == 1:
        return found[0]
    counted = [(each, figures(each.circuit, setting.target)) for each in found]
    return best(counted, setting.objective)
