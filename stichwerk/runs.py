"""Exact distributions, proofs of circuits from elsewhere, and runs on simulators."""

from typing import Annotated

from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from backends import CircuitJob, LocalBackend, backend_from_spec
from compiler.arguments import checked
from compiler.compilation import Compiled
from compiler.dynamic.pieces import is_gate
from compiler.errors import InputError
from compiler.formats.plain_gates import plain
from compiler.lowering.draft import Draft
from compiler.program import Program
from compiler.targets import sized_spec, target_from_spec
from compiler.verification.equivalence import verify_equivalent
from compiler.verification.program import outcome_distribution, program_state


@checked
def exact_distribution(program: Program) -> dict[int, float]:
    """Return the exact probabilities of a program's measured bits.

    Returns:
        Probabilities by outcome, an integer whose bit i is classical bit i.

    Raises:
        StateTooLargeError: If its state has too many amplitudes.
        InputError: If it branches on a condition that is not supported.
    """
    return outcome_distribution(program.circuit, program_state(program.circuit))


@checked
def verify(original: QuantumCircuit, native: QuantumCircuit, target: str | Target) -> str:
    """Check that a native circuit of any compiler does the same as its original, on any input.

    Up to 12 qubits, and up to 24 where the structure of larger circuits cannot be matched, both
    start from one random product state, and their final states are compared.

    Args:
        original: Gates and operators, without measurements; `for` loops are written out.
        native: The result on the target's qubits; its `layout`, as Qiskit's transpiler sets it,
            says where each qubit begins and ends. Without one, qubits stay where they are.
        target: Whose gates and coupled pairs the result may use, or its spec as of `compile`; a
            spec without a size has that of the native circuit.

    Returns:
        `exact`, or `unverified` if there are too many qubits to tell.

    Raises:
        InputError: If a circuit measures, resets or branches, or the original has another loop.
        VerificationError: If the circuit is wrong; its message says how.
    """
    original = plain(original)
    if isinstance(target, str):
        target = target_from_spec(sized_spec(target, max(2, native.num_qubits)))
    for role, circuit in (("original", original), ("native circuit", native)):
        other = next((item.name for item in circuit.data if not is_gate(item)), None)
        if other is not None:
            raise InputError(f"{role}: '{other}' is no gate; give a circuit that consists of gates")
    layout = native.layout
    if layout is None:
        begin = end = tuple(range(original.num_qubits))
    else:
        begin = tuple(layout.initial_index_layout(filter_ancillas=True))
        end = tuple(layout.final_index_layout(filter_ancillas=True))
    return verify_equivalent(original, Draft(native, begin, end), target).verified


@checked
def run(
    compiled: Compiled,
    backend: str = "aer",
    shots: Annotated[int, range(1, 2**31)] = 1000,
    seed: Annotated[int, range(2**31)] = 0,
) -> dict[int, int]:
    """Run a compiled circuit on a simulator in this process, and wait for it.

    Providers' machines take jobs from the queue, which pays for each at most once: submit them
    by `Client` or `stichwerk submit`.

    Args:
        compiled: As `compile` returns it.
        backend: Spec of a simulator, such as `aer`, `sparse` or, with a device's noise,
            `aer:boston`.
        shots: Number of shots, at least 1.
        seed: Of the simulator.

    Returns:
        Shots by outcome, an integer whose bit i is classical bit i.

    Raises:
        InputError: If there is no such simulator.
        BackendError: If it cannot run the circuit.
    """
    machine = backend_from_spec(backend)
    if not isinstance(machine, LocalBackend):
        raise InputError(
            f"backend '{backend}': not a simulator of this process. Submit a job by "
            "stichwerk.Client, or by 'stichwerk submit'"
        )
    spec = compiled.target if isinstance(compiled.target, str) else compiled.target.description
    return dict(machine.run(CircuitJob(compiled.circuit, spec or "", shots, seed)))
