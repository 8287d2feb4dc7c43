"""Programs that providers at Amazon Braket compiled and ran, as their results tell them."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from math import pi
from typing import Any

from qiskit import QiskitError, QuantumCircuit, qasm2
from qiskit.circuit import Gate, Instruction, Measure
from qiskit.circuit.library import (
    RGate,
    RXGate,
    RXXGate,
    RYGate,
    RZGate,
    RZZGate,
    SXGate,
    XGate,
    get_standard_gate_name_mapping,
)

from backends.backend import RESULT_BYTES
from backends.errors import ResultError
from backends.providers.text import UNREADABLE, line, read_json, unreadable
from compiler.dynamic.pieces import final_part

METADATA = ("aqtMetadata", "iqmMetadata", "oqcMetadata", "rigettiMetadata")
"""Parts of a result that hold a `compiledProgram`."""

STANDARD = get_standard_gate_name_mapping()

GATES: Mapping[str, Callable[..., Gate]] = {
    "cz": lambda: STANDARD["cz"],
    "gpi": lambda phi: RGate(pi, phi),
    "gpi2": lambda phi: RGate(pi / 2, phi),
    "h": lambda: STANDARD["h"],
    "iswap": lambda: STANDARD["iswap"],
    "prx": RGate,
    "rx": RXGate,
    "ry": RYGate,
    "rz": RZGate,
    "v": SXGate,
    "x": XGate,
    "xx": RXXGate,
    "zz": RZZGate,
}
"""Gates of Braket's OpenQASM and, in capital letters, of Quil."""

OPENQASM_GATE = re.compile(r"(\w+)(?:\((.*)\))? ?((?:\$\d+, ?)*\$\d+)")
OPENQASM_MEASURE = re.compile(r"\w+\[(\d+)\] = measure \$(\d+)")
QUIL_GATE = re.compile(r"([A-Z]+)(?:\((.*)\))? (\d+(?: \d+)*)")
QUIL_MEASURE = re.compile(r"MEASURE (\d+) \w+\[(\d+)\]")
IGNORED = re.compile(
    r"OPENQASM\b.*|bit\[.*|#pragma\b.*|box \{|\}|barrier\b.*|"
    r"DECLARE\b.*|PRAGMA\b.*|FENCE\b.*|RESET|HALT|#.*|"
)


def compiled_program(raw: bytes) -> bytes | None:
    """Return the program in a task's `results.json` that was compiled and run, None without one.

    Of a program set, all of them as JSON, by the program that was sent.

    Raises:
        ResultError: if the result cannot be read.
    """
    result = read_json(raw, RESULT_BYTES)
    try:
        if "programResults" not in result:
            text = _compiled_program(result)
            return None if text is None else text.encode()
        texts = {
            run["source"]["source"]: _compiled_program(run) for run in result["programResults"]
        }
        return json.dumps(texts).encode() if any(texts.values()) else None
    except UNREADABLE as error:
        raise unreadable(error) from error


def _compiled_program(result: Any) -> str | None:
    parts = (result["additionalMetadata"].get(name) for name in METADATA)
    return next((str(part["compiledProgram"]) for part in parts if part), None)


def compiled_of(programs: bytes, sources: Sequence[str]) -> bytes:
    """Return the one of `compiled_program` that was sent in one of some forms.

    Raises:
        ResultError: if it is not there.
    """
    if not programs.startswith(b"{"):
        return programs
    texts = read_json(programs, RESULT_BYTES)
    text = next((texts[source] for source in sources if texts.get(source)), None)
    if text is None:
        raise ResultError("the provider does not tell the program that it ran")
    return str(text).encode()


def is_verbatim(raw: bytes) -> bool:
    """Return whether the programs in a task's `results.json` ran unchanged, or are missing.

    Raises:
        ResultError: if the result cannot be read.
    """
    result = read_json(raw, RESULT_BYTES)
    try:
        programs = [program["source"] for program in result.get("programResults") or ()]
        if not programs:
            action = result["additionalMetadata"].get("action")
            programs = [] if action is None else [action]
        return all("$" in program["source"] for program in programs)
    except UNREADABLE as error:
        raise unreadable(error) from error


def compiled_circuit(program: bytes, sent: QuantumCircuit, first: int) -> QuantumCircuit:
    """Return a compiled program, OpenQASM 3 or Quil on physical qubits, as a circuit.

    Bits that the provider has numbered anew are those of `sent` in the same order.

    Args:
        program: of `compiled_program`.
        sent: the circuit whose classical bits it measures.
        first: label of the device's first qubit.

    Raises:
        ResultError: if it cannot be read.
    """
    try:
        steps = [step for text in program.decode().splitlines() for step in _step(text, first)]
        bits = sorted(bit for _, _, bit in steps if bit is not None)
        wanted = sorted(final_part(sent)[1])
        if len(bits) != len(wanted):
            raise ValueError(f"it measures {len(bits)} bits, not {len(wanted)}")
        bit_of = dict(zip(bits, wanted, strict=True))
        size = 1 + max(qubit for _, qubits, _ in steps for qubit in qubits)
        circuit = QuantumCircuit(max(size, sent.num_qubits), sent.num_clbits)
        for operation, qubits, bit in steps:
            circuit.append(operation, qubits, [] if bit is None else [bit_of[bit]])
    except (*UNREADABLE, QiskitError) as error:
        raise ResultError(f"the compiled program cannot be read: {line(error, 200)}") from error
    return circuit


def _step(text: str, first: int) -> list[tuple[Instruction, list[int], int | None]]:
    """Return the gate or measurement in a line, its qubits and its bit; none in other lines."""
    text = text.strip().removesuffix(";")
    if IGNORED.fullmatch(text):
        return []
    if match := OPENQASM_MEASURE.fullmatch(text):
        return [(Measure(), [int(match[2]) - first], int(match[1]))]
    if match := QUIL_MEASURE.fullmatch(text):
        return [(Measure(), [int(match[1]) - first], int(match[2]))]
    match = OPENQASM_GATE.fullmatch(text) or QUIL_GATE.fullmatch(text)
    if match is None:
        raise ValueError(f"'{line(text, 60)}' is not known")
    angles = _angles(match[2]) if match[2] else []
    labels = [int(label) - first for label in re.findall(r"\d+", match[3])]
    return [(GATES[match[1].lower()](*angles), labels, None)]


def _angles(text: str) -> list[float]:
    """Return one or two angles in numbers, `pi` and the four operations, as Qiskit reads them."""
    written = text.split(",")
    filled = ", ".join([*written, "0", "0"][:3])
    (gate,) = qasm2.loads(f"OPENQASM 2.0; qreg q[1]; U({filled}) q[0];")
    return [float(angle) for angle in gate.operation.params[: len(written)]]
