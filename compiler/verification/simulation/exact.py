"""Exact states by whichever engine copes."""

from contextlib import suppress

from qiskit import QuantumCircuit

from compiler.circuits.amplitude_table import MAX_AMPLITUDES
from compiler.errors import StateTooLargeError
from compiler.verification.simulation.ordering import branched_state, commuted_state
from compiler.verification.simulation.sparse import SparseState, simulate
from compiler.verification.simulation.wide_gates import is_wide

TRIED_BRANCHES = 1 << 21
"""Amplitudes up to which native circuits are simulated by branches.

Branches cope with optimised and routed circuits, whose states are small only in rotated bases;
qblaze is faster where states are large or gates have many controls. On native circuits of 1,000
to 2,700 two-qubit gates branches took a quarter to a twentieth of its time. The nine cards with an
iterate on a star need more than half as many amplitudes on the way.
"""

SMALL_BRANCHES = 1 << 17
"""Amplitudes up to which they are tried first, in either order: most that end in time stay below.
"""


def exact_state(circuit: QuantumCircuit, max_amplitudes: int = MAX_AMPLITUDES) -> SparseState:
    """Return the state that `circuit` prepares from |0…0⟩.

    Args:
        circuit: gates and barriers; no measurements.
        max_amplitudes: the most amplitudes the state may have on the way.

    Raises:
        StateTooLargeError: if the state could outgrow `max_amplitudes` in every engine.
    """
    tried = min(TRIED_BRANCHES, max_amplitudes)
    # The second engine is not asked while an error is handled: its traceback holds the first's
    # state, and qblaze aborts where memory is short.
    if is_wide(circuit):
        with suppress(StateTooLargeError):
            return simulate(circuit, max_amplitudes=max_amplitudes)
        return branched_state(circuit, max_amplitudes=tried)
    for most in sorted({min(SMALL_BRANCHES, tried), tried}):
        for engine in (branched_state, commuted_state):
            with suppress(StateTooLargeError):
                return engine(circuit, max_amplitudes=most)
    return simulate(circuit, max_amplitudes=max_amplitudes)
