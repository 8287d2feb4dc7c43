"""Native gate sets, and targets made of one gate set and one coupling map."""

from collections.abc import Iterable, Mapping

from qiskit.circuit import Gate, Measure, Parameter
from qiskit.circuit.library import CXGate, CZGate, RGate, RZGate, SXGate, XGate
from qiskit.transpiler import Target

from compiler.errors import TargetError, meant

GATE_SETS: Mapping[str, tuple[Gate, ...]] = {
    "cx": (CXGate(), RZGate(Parameter("λ")), SXGate(), XGate()),
    "cz": (CZGate(), RZGate(Parameter("λ")), SXGate(), XGate()),
    "iqm": (CZGate(), RGate(Parameter("θ"), Parameter("φ"))),
}
"""`cx` and `cz`: one two-qubit gate with rz, sx, x. `iqm`: CZ and PRX, Qiskit's `r`."""


def uniform_target(
    size: int, edges: Iterable[tuple[int, int]] | None, gates: str, default: str
) -> Target:
    """Return a target whose qubits all have the same gates, without calibration data.

    Args:
        size: number of qubits.
        edges: coupled pairs, each in one direction; None couples every pair.
        gates: name of a gate set, or `""` for the default.
        default: the default gate set's name.

    Raises:
        TargetError: if there is no such gate set.
    """
    if (name := gates or default) not in GATE_SETS:
        raise TargetError(f"unknown gate set '{name}'; {meant(name, GATE_SETS)}")
    pairs = None if edges is None else [pair for a, b in edges for pair in ((a, b), (b, a))]
    target = Target(num_qubits=size)
    for gate in (*GATE_SETS[name], Measure()):
        places = pairs if gate.num_qubits == 2 else [(qubit,) for qubit in range(size)]
        target.add_instruction(gate, None if places is None else dict.fromkeys(places))
    return target
