"""IQM's transpiler, for devices with a computational resonator."""

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from qiskit import QuantumCircuit, transpile
from qiskit.circuit.exceptions import CircuitError
from qiskit.circuit.library import CZGate, RGate
from qiskit.transpiler import Target

from compiler.errors import LoweringError
from compiler.lowering import Draft
from compiler.targets.resonator import MoveGate, computational_qubits, has_resonator
from workers.peers.compilers import iqm_program
from workers.peers.peer import CompilerInputs, Environment, Variant, peer

LEVEL = 3
SECONDS = 120.0
ENVIRONMENT = Environment("iqm")
GIVEN = (
    "h", "x", "y", "z", "s", "sdg", "t", "tdg", "sx", "sxdg", "p", "rx", "ry", "rz", "r", "u",
    "cx", "cy", "cz", "ch", "cp", "crx", "cry", "crz", "cu", "csx", "swap", "iswap", "dcx", "ecr",
    "rxx", "ryy", "rzz", "rzx", "ccx", "ccz", "cswap",
)  # fmt: skip
"""Gates that it gets as they are: written in CX, some would take more moves."""

NATIVE = {"r": RGate, "cz": CZGate, "move": MoveGate}


class Answer(BaseModel):
    """Output of the program in IQM's environment."""

    gates: list[tuple[str, list[float], list[int]]] = []
    initial: list[int] = []
    final: list[int] = []
    error: str = ""


def refusal(target: Target) -> str:
    """Return why it is not called for a target, `""` if it is."""
    return "" if has_resonator(target) else "iqm is for targets with a resonator"


@peer("iqm", "iqm-client", refuses=refusal, own_process=True, environment=ENVIRONMENT)
def iqm(work: CompilerInputs, target: Target, variant: Variant) -> Draft:
    """Call `transpile_to_IQM` at optimisation level 3 for a star of the target's size."""
    question = {
        "qubits": computational_qubits(target),
        "program": program_of(work.gates),
        "seed": variant.seed,
        "level": LEVEL,
    }
    answer = ENVIRONMENT.answer(Path(iqm_program.__file__), json.dumps(question), SECONDS)
    return draft_of(answer, target)


def program_of(circuit: QuantumCircuit) -> dict[str, Any]:
    """Return a circuit as JSON has it, in `GIVEN`, to which Qiskit translates all else."""
    plain = transpile(circuit, basis_gates=list(GIVEN), optimization_level=0)
    gates = [
        (
            item.operation.name,
            [float(angle) for angle in item.operation.params],
            [plain.find_bit(qubit).index for qubit in item.qubits],
        )
        for item in plain.data
    ]
    return {"qubits": plain.num_qubits, "gates": gates}


def draft_of(text: str, target: Target) -> Draft:
    """Return the circuit of an answer, in our gates on a target's qubits.

    Raises:
        LoweringError: with the answer in one line, if it holds no circuit.
    """
    try:
        answer = Answer.model_validate_json(text)
    except ValidationError:
        short = " ".join(text.split())[:60]
        raise LoweringError(f"its process answered '{short}', which is no circuit") from None
    if answer.error:
        raise LoweringError(answer.error)
    circuit = QuantumCircuit(target.num_qubits)
    for name, angles, places in answer.gates:
        # CZ is symmetric, and this target has it from the qubit to the resonator only.
        ordered = sorted(places) if name == "cz" else places
        try:
            circuit.append(NATIVE[name](*angles), ordered)
        except (CircuitError, KeyError, TypeError):
            raise LoweringError(f"its gate '{name}' {angles} on {places} is unknown here") from None
    return Draft(circuit, tuple(answer.initial), tuple(answer.final))
