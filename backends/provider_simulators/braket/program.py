"""The OpenQASM 3 that a simulated Braket runs, and the results that it writes."""

import json
import re
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.circuit.library import CXGate, CZGate, RGate, RXGate, RZGate, SXGate, XGate
from qiskit.transpiler import CouplingMap

from backends.backend import CircuitJob, LocalBackend
from backends.provider_simulators.protocol import Refusal

GATES: Mapping[str, Callable[..., Gate]] = {
    "cnot": CXGate,
    "cz": CZGate,
    "prx": RGate,
    "rx": RXGate,
    "rz": RZGate,
    "v": SXGate,
    "x": XGate,
}
NATIVE = ("cz", "prx")

BITS = re.compile(r"bit\[(\d+)\] b;")
QUBITS = re.compile(r"qubit\[(\d+)\] q;")
GATE = re.compile(r"(\w+)(?:\(([^)]*)\))? ([^;]+);")
MEASURE = re.compile(r"b\[(\d+)\] = measure (\S+);")
PLACE = re.compile(r"\$(\d+)|q\[(\d+)\]")
BOX = ("#pragma braket verbatim", "box {")


@frozen
class Program:
    """A program as it was read.

    Args:
        circuit: on the machine's own qubits, or on a simulator's in order of first use; measured
            into bits in order of measurement.
        labels: the label of the qubit that each bit reads.
    """

    circuit: QuantumCircuit
    labels: tuple[int, ...]


def read_program(source: str, coupled: CouplingMap | None, first: int) -> Program:
    """Read a program, on a machine's qubits in one verbatim box or on declared ones.

    Args:
        source: OpenQASM 3, one statement a line.
        coupled: the machine's couplers; None for a simulator.
        first: label of the machine's first qubit.

    Raises:
        Refusal: as a machine, or the simulator, would refuse it.
    """
    lines = source.strip().splitlines()
    if len(lines) < 3 or lines[0] != "OPENQASM 3.0;" or not BITS.fullmatch(lines[1]):
        raise _invalid("the program does not begin with its version and its bits")
    statements = lines[2:]
    if coupled is None:
        if not QUBITS.fullmatch(statements.pop(0)):
            raise _invalid("the program declares no qubits")
    elif tuple(statements[:2]) == BOX and "}" in statements:
        end = statements.index("}")
        statements = statements[2:end] + statements[end + 1 :]
    return _Reader(coupled, first).read(statements)


class _Reader:
    def __init__(self, coupled: CouplingMap | None, first: int) -> None:
        self.coupled = coupled
        self.first = first
        self.index: dict[int, int] = {}
        self.gates: list[tuple[Gate, list[int]]] = []
        self.labels: list[int] = []

    def read(self, statements: list[str]) -> Program:
        for line in statements:
            if measure := MEASURE.fullmatch(line):
                self.labels.append(self.label(measure[2]))
            elif gate := GATE.fullmatch(line):
                self.gate(gate[1], gate[2], [self.label(place) for place in gate[3].split(", ")])
            else:
                raise _invalid(f"cannot read '{line}'")
        if not self.labels or len(set(self.labels)) != len(self.labels):
            raise _invalid("each of the measured qubits is measured once")
        places = [self.place(label) for label in self.labels]
        qubits = self.coupled.size() if self.coupled else len(self.index)
        circuit = QuantumCircuit(qubits, len(self.labels))
        for gate, operands in self.gates:
            circuit.append(gate, operands)
        circuit.measure(places, range(len(places)))
        return Program(circuit, tuple(self.labels))

    def label(self, text: str) -> int:
        match = PLACE.fullmatch(text)
        if not match or (match[1] is None) != (self.coupled is None):
            raise _invalid(f"'{text}' is no qubit of the device")
        label = int(match[1] or match[2])
        if self.coupled and not 0 <= label - self.first < self.coupled.size():
            raise _invalid(f"the device has no qubit {text}")
        return label

    def gate(self, name: str, angles: str | None, labels: list[int]) -> None:
        if self.labels:
            raise _invalid("a gate follows a measurement")
        if name not in GATES or (self.coupled and name not in NATIVE):
            raise _invalid(f"the device does not support the gate '{name}'")
        pair = [label - self.first for label in labels]
        if self.coupled and len(pair) == 2 and not self.coupled.graph.has_edge(*pair):
            raise _invalid(f"qubits {labels} are not connected")
        try:
            gate = GATES[name](*[float(angle) for angle in angles.split(",")] if angles else ())
        except (TypeError, ValueError) as error:
            raise _invalid(f"'{name}({angles})' has wrong angles") from error
        if gate.num_qubits != len(labels):
            raise _invalid(f"'{name}' acts on {gate.num_qubits} qubits, not {len(labels)}")
        self.gates.append((gate, [self.place(label) for label in labels]))

    def place(self, label: int) -> int:
        if self.coupled:
            return label - self.first
        return self.index.setdefault(label, len(self.index))


def running(
    program: Program, simulator: LocalBackend, target: str, task: Mapping[str, Any], seed: int
) -> Callable[[], bytes]:
    """Return what runs a program and returns the `results.json` of its task.

    Args:
        program: as read.
        simulator: runs it.
        target: spec of the device's target.
        task: what the task was created with, with its `arn`.
        seed: of the shots.
    """

    def run() -> bytes:
        began = perf_counter()
        counts = simulator.run(CircuitJob(program.circuit, target, task["shots"], seed))
        took = int((perf_counter() - began) * 1000)
        bits = range(len(program.labels))
        rows = [[o >> bit & 1 for bit in bits] for o, n in counts.items() for _ in range(n)]
        return json.dumps(
            {
                "braketSchemaHeader": _header("braket.task_result.gate_model_task_result"),
                "measurements": rows,
                "measuredQubits": program.labels,
                "taskMetadata": {
                    "braketSchemaHeader": _header("braket.task_result.task_metadata"),
                    "id": task["arn"],
                    "shots": task["shots"],
                    "deviceId": task["deviceArn"],
                },
                "additionalMetadata": {
                    "action": json.loads(task["action"]),
                    "simulatorMetadata": _simulator_metadata(took),
                },
            }
        ).encode()

    return run


def _simulator_metadata(milliseconds: int) -> dict[str, Any]:
    header = _header("braket.task_result.simulator_metadata")
    return {"braketSchemaHeader": header, "executionDuration": milliseconds}


def _header(name: str) -> dict[str, str]:
    return {"name": name, "version": "1"}


def _invalid(message: str) -> Refusal:
    return Refusal(400, "ValidationException", message)
