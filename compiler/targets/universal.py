"""Check that any circuit can be written in a target's native gates."""

from functools import lru_cache

from qiskit import QuantumCircuit, transpile
from qiskit.circuit import Gate, Measure
from qiskit.circuit.library import get_standard_gate_name_mapping
from qiskit.exceptions import QiskitError
from qiskit.quantum_info import Operator
from qiskit.transpiler import Target

from compiler.errors import TargetError
from compiler.words.plurals import how_many

FLIPPED = ("cx", "cz", "ecr", "swap", "rzx", "rxx", "ryy", "rzz")
"""Gates that Qiskit turns around where they act in one direction only."""

STANDARD_NAMES = frozenset({*get_standard_gate_name_mapping(), "move"})

TRIED = ("cz, cx, ecr, iswap, rzz, rxx, ryy, rzx, cp", "rz with sx or rx; u; r")
"""Native gates on two qubits and on one that are known to do."""

MAX_CACHED = 32
"""Size of the cache of sets of gates."""


def check_universal(target: Target, shown: str) -> None:
    """Refuse native gates in which no CX, or no rotation of a qubit, can be written.

    Args:
        target: whose gates these are.
        shown: its name in messages.

    Raises:
        TargetError: saying which gates would do.
    """
    # Qiskit finds gates of a target by their standard names.
    gates = [
        operation
        for name in target.operation_names
        if isinstance(operation := target.operation_from_name(name), Gate)
        and operation.num_qubits in (1, 2)
        and operation.name == name
        and name in STANDARD_NAMES
    ]
    names = [gate.name for gate in gates]
    if not any(gate.num_qubits == 2 for gate in gates):
        raise TargetError(f"target '{shown}': no gate on two qubits; add one of {TRIED[0]}")
    if not _suffice(tuple(names)):
        raise TargetError(
            f"target '{shown}': not every circuit can be written in {', '.join(sorted(names))}; "
            f"gates that do on two qubits: {TRIED[0]}; on one: {TRIED[1]}"
        )
    for gate in gates:
        places = target[gate.name]
        if gate.num_qubits != 2 or places is None or gate.name in FLIPPED:
            continue
        lacking = next((at for at in places if at is not None and at[::-1] not in places), None)
        if lacking is not None:
            a, b = lacking
            raise TargetError(
                f"target '{shown}': '{gate.name}' acts on {a}-{b} and not on {b}-{a}, and there "
                "is no way to turn it around; let it act there, too"
            )


def check_measurable(circuit: QuantumCircuit, target: Target, shown: str) -> None:
    """Refuse a circuit that measures more qubits than a target can.

    Args:
        circuit: which may branch.
        target: with measurements on some of its qubits, or none.
        shown: its name in messages.

    Raises:
        TargetError: saying how many it can measure.
    """
    measured = len({item.qubits for item in circuit.data if isinstance(item.operation, Measure)})
    named = "measure" in target.operation_names
    places = target["measure"] if named else {}
    if measured and places is not None and None not in places and len(places) < measured:
        raise TargetError(
            f"target '{shown}': measures {how_many(len(places), 'qubit')} ('measure'), and "
            f"{circuit.name} {measured}; let 'measure' act on more, or measure fewer"
        )


@lru_cache(MAX_CACHED)
def _suffice(names: tuple[str, ...]) -> bool:
    """Return whether a CX and a rotation can be written in gates, to rounding."""
    probe = QuantumCircuit(2)
    probe.u(0.1, 0.2, 0.3, 0)
    probe.cx(0, 1)
    try:
        written = transpile(probe, basis_gates=[*names], optimization_level=0)
    except QiskitError:
        return False
    return bool(Operator(written).equiv(Operator(probe)))
