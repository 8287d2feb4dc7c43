"""The Berkeley Quantum Synthesis Toolkit."""

from importlib import import_module

from qiskit import QuantumCircuit, transpile
from qiskit.transpiler import Target

from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.lowering import Draft
from compiler.lowering.native import translated
from workers.peers.peer import CompilerInputs, Variant, peer
from workers.sandbox.sandbox import within

LEVEL = 1
"""Its default; beyond it, programs of a thousand gates take longer than minutes."""

LARGEST = 250
SECONDS = 120.0


@peer(
    "bqskit",
    "bqskit",
    lambda target, seeds: [Variant("", seeds[0])],
    largest=LARGEST,
    own_process=True,
)
def bqskit(work: CompilerInputs, target: Target, variant: Variant) -> Draft:
    """Call `bqskit.compile` at its default level, with one seed and one worker process.

    Its gate set is the target's two-qubit gate and U3; Qiskit translates the latter.
    """
    coupling = target.build_coupling_map()
    edges = None if coupling is None else sorted({(min(e), max(e)) for e in coupling.get_edges()})
    gate = "cx" if "cx" in target.operation_names else "cz"
    plain = transpile(work.gates, basis_gates=["cx", "u3"], optimization_level=0)
    native, initial, final = within(
        SECONDS, compiled, qpy_bytes(plain), target.num_qubits, edges, gate, variant.seed
    )
    physical = QuantumCircuit(target.num_qubits)
    physical.compose(read_qpy(native, "bqskit"), range(target.num_qubits), inplace=True)
    return Draft(translated(physical, target), initial, final)


def compiled(
    qpy: bytes, qubits: int, edges: list[tuple[int, int]] | None, gate: str, seed: int
) -> tuple[bytes, tuple[int, ...], tuple[int, ...]]:
    """Compile in this process; return the circuit as QPY, and its layouts.

    Args:
        qpy: a circuit of CX and U3.
        qubits: of the machine.
        edges: coupled pairs, None for all.
        gate: `cx` or `cz`.
        seed: of its optimisers.
    """
    package, gates, ext = (import_module(f"bqskit{n}") for n in ("", ".ir.gates", ".ext"))
    native = {gates.CXGate() if gate == "cx" else gates.CZGate(), gates.U3Gate()}
    model = package.MachineModel(qubits, edges, native)
    circuit, initial, final = package.compile(
        ext.qiskit_to_bqskit(read_qpy(qpy, "program")),
        model,
        optimization_level=LEVEL,
        seed=seed,
        with_mapping=True,
        num_workers=1,
    )
    return qpy_bytes(ext.bqskit_to_qiskit(circuit)), tuple(initial), tuple(final)
