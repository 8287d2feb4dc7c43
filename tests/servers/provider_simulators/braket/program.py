"""The OpenQASM 3 that a simulated Braket runs, and the results that it writes.

What it takes of feed-forward is what Amazon's developer guide says under "Dynamic circuits on IQM
devices": in a verbatim box, and only if experimental capabilities are enabled.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from math import pi, remainder
from time import perf_counter
from typing import Any

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Gate, Instruction, Measure, library
from qiskit.transpiler import CouplingMap

from backends.backend import CircuitJob, LocalBackend
from tests.servers.provider_simulators.protocol import Refusal

GATES: Mapping[str, Callable[..., Gate]] = {
    "cnot": library.CXGate,
    "cz": library.CZGate,
    "gpi": lambda phi: library.RGate(pi, phi),
    "gpi2": lambda phi: library.RGate(pi / 2, phi),
    "iswap": library.iSwapGate,
    "prx": library.RGate,
    "rx": library.RXGate,
    "rz": library.RZGate,
    "v": library.SXGate,
    "x": library.XGate,
    "xx": library.RXXGate,
    "zz": library.RZZGate,
}
RANGES: Mapping[tuple[str, str], Callable[[float], bool]] = {
    ("aqt", "prx"): lambda theta: -EDGE <= theta <= pi + EDGE,
    ("aqt", "xx"): lambda theta: -EDGE <= theta <= pi / 2 + EDGE,
    ("ionq", "zz"): lambda theta: abs(theta) <= pi / 2 + EDGE,
    ("rigetti", "rx"): lambda theta: abs(remainder(theta, pi / 2)) <= EDGE,
}
"""Angles of native gates, by provider."""

EDGE = 1e-9
MEASURE_FF, CC_PRX = "measure_ff", "cc_prx"

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
            into bits in order of measurement, and into further ones for feed-forward.
        labels: the label of the qubit that each bit reads.
    """

    circuit: QuantumCircuit
    labels: tuple[int, ...]


@frozen
class Limits:
    """What a program for a machine is checked against.

    Args:
        coupled: its couplers.
        first: label of its first qubit.
        provider: part of its ARN.
        native: its native gates.
        groups: of qubits within which measurements steer others; each qubit steers itself.
        experimental: whether experimental capabilities are enabled.
    """

    coupled: CouplingMap
    first: int
    provider: str = "iqm"
    native: Sequence[str] = ("cz", "prx")
    groups: Sequence[frozenset[int]] = ()
    experimental: bool = False


def read_program(source: str, limits: Limits | None) -> Program:
    """Read a program, on a machine's qubits in one verbatim box or on declared ones.

    Args:
        source: OpenQASM 3, one statement a line.
        limits: of the machine; None for a simulator.

    Raises:
        Refusal: as a machine, or the simulator, would refuse it.
    """
    lines = source.strip().splitlines()
    if len(lines) < 3 or lines[0] != "OPENQASM 3.0;" or not BITS.fullmatch(lines[1]):
        raise _invalid("the program does not begin with its version and its bits")
    statements, box = lines[2:], []
    if limits is None:
        if not QUBITS.fullmatch(statements.pop(0)):
            raise _invalid("the program declares no qubits")
    elif tuple(statements[:2]) == BOX and "}" in statements:
        end = statements.index("}")
        statements, box = statements[end + 1 :], statements[2:end]
    return _Reader(limits).read(box, statements)


class _Reader:
    def __init__(self, limits: Limits | None) -> None:
        self.limits = limits
        self.index: dict[int, int] = {}
        self.gates: list[tuple[Instruction, list[int], int | None]] = []
        self.labels: list[int] = []
        self.sources: dict[int, int] = {}
        self.steered: dict[int, int] = {}

    def read(self, box: list[str], statements: list[str]) -> Program:
        for line in box:
            self.statement(line, verbatim=True)
        for line in statements:
            if measure := MEASURE.fullmatch(line):
                self.labels.append(self.label(measure[2]))
            else:
                self.statement(line, verbatim=False)
        if not self.labels or len(set(self.labels)) != len(self.labels):
            raise _invalid("each of the measured qubits is measured once")
        places = [self.place(label) for label in self.labels]
        qubits = self.limits.coupled.size() if self.limits else len(self.index)
        circuit = QuantumCircuit(qubits, len(self.labels) + len(self.sources))
        bit_of = {key: len(self.labels) + i for i, key in enumerate(self.sources)}
        for gate, operands, key in self.gates:
            if isinstance(gate, Measure) and key is not None:
                circuit.measure(operands[0], bit_of[key])
            elif key is not None:
                with circuit.if_test((circuit.clbits[bit_of[key]], 1)):
                    circuit.append(gate, operands)
            else:
                circuit.append(gate, operands)
        circuit.measure(places, range(len(places)))
        return Program(circuit, tuple(self.labels))

    def statement(self, line: str, *, verbatim: bool) -> None:
        gate = GATE.fullmatch(line)
        if not gate or line.startswith(("if ", "reset ")):
            raise _invalid(f"cannot read '{line}'")
        labels = [self.label(place) for place in gate[3].split(", ")]
        if gate[1] in (MEASURE_FF, CC_PRX) and self.limits:
            if not verbatim:
                raise _invalid(f"'{gate[1]}' must be in a verbatim box")
            self.feed_forward(gate[1], gate[2] or "", labels, self.limits)
        else:
            self.gate(gate[1], gate[2], labels)

    def feed_forward(self, name: str, arguments: str, labels: list[int], limits: Limits) -> None:
        if not limits.experimental:
            raise _invalid(f"'{name}' is an experimental capability, which is not enabled")
        *angles, last = arguments.split(",")
        try:
            key, numbers = int(last), [float(angle) for angle in angles]
        except ValueError as error:
            raise _invalid(f"'{name}({arguments})' has wrong arguments") from error
        if len(labels) != 1 or len(numbers) != (0 if name == MEASURE_FF else 2):
            raise _invalid(f"'{name}({arguments})' has wrong arguments")
        (place,) = (label - limits.first for label in labels)
        if name == MEASURE_FF:
            if key in self.sources:
                raise _invalid(f"feedback key {key} is used twice")
            self.sources[key] = place
            self.gates.append((Measure(), [place], key))
            return
        if key not in self.sources:
            raise _invalid(f"feedback key {key} is used before it is measured")
        source = self.sources[key]
        if self.steered.setdefault(place, source) != source:
            raise _invalid(f"qubit {labels[0]} is controlled by more than one qubit")
        if place != source and not any({place, source} <= group for group in limits.groups):
            raise _invalid(f"qubit {labels[0]} is controlled from another group of qubits")
        self.gates.append((library.RGate(*numbers), [place], key))

    def label(self, text: str) -> int:
        match = PLACE.fullmatch(text)
        if not match or (match[1] is None) != (self.limits is None):
            raise _invalid(f"'{text}' is no qubit of the device")
        label = int(match[1] or match[2])
        known = self.limits
        if known and not 0 <= label - known.first < known.coupled.size():
            raise _invalid(f"the device has no qubit {text}")
        return label

    def gate(self, name: str, angles: str | None, labels: list[int]) -> None:
        if self.labels:
            raise _invalid("a gate follows a measurement")
        known = self.limits
        if name not in GATES or (known and name not in known.native):
            raise _invalid(f"the device does not support the gate '{name}'")
        pair = [label - known.first for label in labels] if known else []
        if known and len(pair) == 2 and not known.coupled.graph.has_edge(*pair):
            raise _invalid(f"qubits {labels} are not connected")
        try:
            gate = GATES[name](*[float(angle) for angle in angles.split(",")] if angles else ())
        except (TypeError, ValueError) as error:
            raise _invalid(f"'{name}({angles})' has wrong angles") from error
        if gate.num_qubits != len(labels):
            raise _invalid(f"'{name}' acts on {gate.num_qubits} qubits, not {len(labels)}")
        in_range = RANGES.get((known.provider, name)) if known else None
        if in_range and not in_range(gate.params[0]):
            raise _invalid(f"'{name}({angles})' is out of range")
        if known and known.provider == "rigetti" and name == "rx":
            # Calibrated as pulses by a quarter of a turn.
            quarters = round(gate.params[0] / (pi / 2)) % 4
            self.gates += [(library.SXGate(), [self.place(labels[0])], None)] * quarters
            return
        self.gates.append((gate, [self.place(label) for label in labels], None))

    def place(self, label: int) -> int:
        if self.limits:
            return label - self.limits.first
        return self.index.setdefault(label, len(self.index))


def compiled(source: str, provider: str) -> dict[str, Any]:
    """Return the part of a result in which a provider tells the program that it compiled and ran.

    IonQ tells none; Rigetti writes Quil.
    """
    if provider == "ionq" or "$" not in source:
        return {}
    text = source.replace("b[", "c[").replace(" b;", " c;")
    if provider == "rigetti":
        lines = ["DECLARE ro BIT[2]", "PRAGMA PRESERVE_BLOCK"]
        for line in source.splitlines():
            if measure := MEASURE.fullmatch(line):
                lines.append(f"MEASURE {measure[2][1:]} ro[{measure[1]}]")
            elif (gate := GATE.fullmatch(line)) and gate[1] in GATES:
                angles = f"({gate[2]})" if gate[2] else ""
                labels = gate[3].replace("$", "").replace(",", "")
                lines.append(f"{gate[1].upper()}{angles} {labels}")
        text = "\n".join(lines)
    header = _header(f"braket.task_result.{provider}_metadata")
    return {f"{provider}Metadata": {"braketSchemaHeader": header, "compiledProgram": text}}


def declared_qubits(source: str) -> int:
    """Return how many qubits a program declares; 0 if it uses a machine's own."""
    return sum(int(match[1]) for match in map(QUBITS.fullmatch, source.splitlines()) if match)


def without_box(source: str) -> str:
    """Return a program that lost all of its gates."""
    head, _, rest = source.partition(BOX[0])
    return head + rest.partition("}\n")[2]


def running(
    programs: Sequence[Program],
    simulator: LocalBackend,
    target: str,
    task: Mapping[str, Any],
    seed: int,
    metadata: Sequence[Mapping[str, Any]],
    files: dict[str, bytes],
    failed: int = -1,
) -> Callable[[], bytes]:
    """Return what runs a task's programs and returns its `results.json`.

    Args:
        programs: as read, more than one if it is a program set.
        simulator: runs them.
        target: spec of the device's target.
        task: what the task was created with, with its `arn`.
        seed: of the shots.
        metadata: of the provider for each program; see `compiled`.
        files: gets those that the `results.json` of a program set names.
        failed: place of a program that fails at the device.
    """
    shots = task["shots"] // len(programs)

    def run_one(place: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what a program measured, and what is told besides."""
        program, began = programs[place], perf_counter()
        counts = simulator.run(CircuitJob(program.circuit, target, shots, seed + place))
        took = int((perf_counter() - began) * 1000)
        bits = range(len(program.labels))
        rows = [[o >> bit & 1 for bit in bits] for o, n in counts.items() for _ in range(n)]
        told = {"simulatorMetadata": _simulator_metadata(took), **metadata[place]}
        return {"measurements": rows, "measuredQubits": program.labels}, told

    def run() -> bytes:
        action = json.loads(task["action"])
        if "programs" in action:
            return _set_results(task, action["programs"], run_one, files, failed)
        measured, told = run_one(0)
        return json.dumps(
            {
                "braketSchemaHeader": _header("braket.task_result.gate_model_task_result"),
                **measured,
                "taskMetadata": {
                    "braketSchemaHeader": _header("braket.task_result.task_metadata"),
                    "id": task["arn"],
                    "shots": shots,
                    "deviceId": task["deviceArn"],
                },
                "additionalMetadata": {"action": action, **told},
            }
        ).encode()

    return run


def _set_results(
    task: Mapping[str, Any],
    programs: Sequence[Any],
    run_one: Callable[[int], tuple[dict[str, Any], dict[str, Any]]],
    files: dict[str, bytes],
    failed: int,
) -> bytes:
    """Return the `results.json` of a program set, whose programs are in no promised order.

    Each program, its result and each of its runs is a file of its own.
    """

    def written(name: str, content: Mapping[str, Any]) -> str:
        files[name] = json.dumps(content).encode()
        return name

    names, outcome = [], "braket.task_result.program_set_executable"
    for place in reversed(range(len(programs))):
        folder, (measured, told) = f"programs/{place}", run_one(place)
        result = {"braketSchemaHeader": _header(f"{outcome}_result"), "inputsIndex": 0, **measured}
        if place == failed:
            reason = {"failureReason": "simulated failure of the program", "retryable": False}
            failure = {"failureMetadata": {**reason, "category": "DEVICE"}}
            header = _header(f"{outcome}_failure")
            result = {"braketSchemaHeader": header, "inputsIndex": 0, **failure}
        content = {
            "braketSchemaHeader": _header("braket.task_result.program_result"),
            "executableResults": [written(f"{folder}/executables/0.json", result)],
            "source": written(f"{folder}/program.json", programs[place]),
            "additionalMetadata": {"action": programs[place], **told},
        }
        names.append(written(f"{folder}/results.json", content))
    shots = task["shots"] // len(programs)
    folder_of_task = f"{task['outputS3KeyPrefix']}/{task['arn'].rpartition('/')[2]}"
    metadata = {
        "braketSchemaHeader": _header("braket.task_result.program_set_task_metadata"),
        "id": task["arn"],
        "deviceId": task["deviceArn"],
        "requestedShots": task["shots"],
        "successfulShots": task["shots"] - shots * (failed >= 0),
        "programMetadata": [{"executables": [{}]} for _ in programs],
        "totalFailedExecutables": int(failed >= 0),
    }
    return json.dumps(
        {
            "braketSchemaHeader": _header("braket.task_result.program_set_task_result"),
            "programResults": names,
            "taskMetadata": written("metadata.json", metadata),
            "s3Location": [task["outputS3Bucket"], folder_of_task],
        }
    ).encode()


def _simulator_metadata(milliseconds: int) -> dict[str, Any]:
    header = _header("braket.task_result.simulator_metadata")
    return {"braketSchemaHeader": header, "executionDuration": milliseconds}


def _header(name: str) -> dict[str, str]:
    return {"name": name, "version": "1"}


def _invalid(message: str) -> Refusal:
    return Refusal(400, "ValidationException", message)
