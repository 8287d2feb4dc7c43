"""Model of a user's device file: qubits, edges, gates, and exceptions by place."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from backends.devices.connected import unreachable
from backends.devices.device_format import SourceFile
from backends.devices.misfit import MisfitError
from compiler.formats.key_lines import Path
from compiler.targets.device import GATES, NAME, Device, Placed, QubitCalibration
from compiler.targets.target import MAX_QUBITS

Probability = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]

Time = Annotated[float, Field(gt=0, le=1e12, allow_inf_nan=False)]
Edge = tuple[int, int]


class Part(BaseModel):
    """A table of the file; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Quality(Part):
    """Errors and duration of a gate."""

    error: Probability | None = None
    duration_ns: Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)] | None = None


class Readout(Quality):
    """Errors and duration of a measurement; its error is the mean of both directions."""

    one_for_zero: Probability | None = None
    zero_for_one: Probability | None = None

    @model_validator(mode="after")
    def _said_once(self) -> Self:
        both = (self.one_for_zero, self.zero_for_one)
        if (self.error is not None and both != (None, None)) or both.count(None) == 1:
            raise ValueError("write error, or one_for_zero and zero_for_one")
        return self

    @property
    def mean(self) -> float | None:
        """The probability of a wrong value."""
        if self.one_for_zero is None or self.zero_for_one is None:
            return self.error
        return (self.one_for_zero + self.zero_for_one) / 2


class AtQubit(Part):
    """Exceptions at one qubit."""

    t1_us: Time | None = None
    t2_us: Time | None = None
    gates: dict[str, Quality] = Field(default_factory=dict)
    measure: Readout | None = None


class AtEdge(Part):
    """Exceptions at one edge."""

    gates: dict[str, Quality]


class DeviceFile(Part):
    """The file."""

    name: str | None = Field(None, pattern=f"^{NAME.pattern}$")
    qubits: int = Field(ge=2, le=MAX_QUBITS)
    edges: list[tuple[int, int]] = Field(min_length=1)
    directed: bool = False
    gates: dict[str, Quality]
    measure: Readout = Field(default_factory=Readout)
    t1_us: Time | None = None
    t2_us: Time | None = None
    qubit: dict[str, AtQubit] = Field(default_factory=dict)
    edge: dict[str, AtEdge] = Field(default_factory=dict)

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> Self:
        """Read a parsed document; a list of gates says nothing of their quality.

        Raises:
            ValidationError: if it is not in form.
        """
        content = dict(content)
        if isinstance(content.get("gates"), list):
            content["gates"] = {name: {} for name in content["gates"] if isinstance(name, str)}
        if isinstance(content.get("edges"), list):
            # JSON and TOML have lists for pairs.
            pairs = content["edges"]
            content["edges"] = [tuple(pair) if isinstance(pair, list) else pair for pair in pairs]
        return cls.model_validate(content)

    def device(self, name: str) -> Device:
        """Return the device of this file.

        Args:
            name: if the file gives it none.

        Raises:
            MisfitError: with the contradiction and its place.
        """
        self._check_gates()
        edges = list(self._edges())
        at_qubits = self._at_qubits()
        at_edges = self._at_edges(edges)
        gates: dict[str, tuple[Placed, ...]] = {}
        for gate, usual in self.gates.items():
            if GATES[gate].num_qubits == 1:
                places = [
                    _placed((q,), usual, at_qubits.get(q, AtQubit()).gates.get(gate))
                    for q in range(self.qubits)
                ]
            else:
                places = [
                    _placed(edge, usual, at_edges.get(edge, AtEdge(gates={})).gates.get(gate))
                    for edge in edges
                ]
            gates[gate] = tuple(places)
        per_qubit = [at_qubits.get(q, AtQubit()) for q in range(self.qubits)]
        readouts = [_readout(self.measure, each.measure) for each in per_qubit]
        gates["measure"] = tuple(
            Placed((q,), readout.mean, readout.duration_ns) for q, readout in enumerate(readouts)
        )
        calibrations = [
            QubitCalibration(
                self.t1_us if each.t1_us is None else each.t1_us,
                self.t2_us if each.t2_us is None else each.t2_us,
                readout.one_for_zero,
                readout.zero_for_one,
            )
            for each, readout in zip(per_qubit, readouts, strict=True)
        ]
        return Device(self.name or name, tuple(calibrations), gates)

    def _check_gates(self) -> None:
        for gate in self.gates:
            check_gate(gate, ("gates", gate))
        if all(GATES[gate].num_qubits == 1 for gate in self.gates):
            raise MisfitError(("gates",), "no gate on two qubits; add one, such as cz")

    def _edges(self) -> Iterator[Edge]:
        seen: dict[Edge, None] = {}
        for place, (a, b) in enumerate(self.edges):
            for qubit in (a, b):
                if not 0 <= qubit < self.qubits:
                    raise MisfitError(
                        ("edges", place),
                        f"edge {a}-{b}: there is no qubit {qubit}; they are 0 to {self.qubits - 1}",
                    )
            if a == b:
                raise MisfitError(("edges", place), f"edge {a}-{b} joins a qubit to itself")
            if (a, b) in seen or (not self.directed and (b, a) in seen):
                raise MisfitError(("edges", place), f"edge {a}-{b} is named twice; leave one out")
            seen[a, b] = None
        lost = unreachable(self.qubits, seen)
        if lost is not None:
            raise MisfitError(("edges",), f"no edges lead from qubit 0 to qubit {lost}: the graph "
                              "must be connected; add an edge, or leave the qubit out")  # fmt: skip
        for a, b in seen:
            yield a, b
            if not self.directed:
                yield b, a

    def _at_qubits(self) -> dict[int, AtQubit]:
        result = {}
        for key, at in self.qubit.items():
            qubit = int(key) if key.isdecimal() and len(key) < 6 else -1
            if not 0 <= qubit < self.qubits:
                raise MisfitError(
                    ("qubit", key), f"there is no qubit {key}; they are 0 to {self.qubits - 1}"
                )
            self._check_there(at.gates, 1, ("qubit", key, "gates"))
            result[qubit] = at
        return result

    def _at_edges(self, edges: list[Edge]) -> dict[Edge, AtEdge]:
        names = {f"{a}-{b}": (a, b) for a, b in edges}
        result: dict[Edge, AtEdge] = {}
        for key, at in self.edge.items():
            if key not in names:
                raise MisfitError(
                    ("edge", key), f"there is no edge '{key}'; name it as edges has it, such as "
                    f"[edge.{next(iter(names))}]"
                )  # fmt: skip
            self._check_there(at.gates, 2, ("edge", key, "gates"))
            result[names[key]] = at
        for a, b in list(result):
            if not self.directed:
                result.setdefault((b, a), result[a, b])
        return result

    def _check_there(self, gates: dict[str, Quality], qubits: int, path: Path) -> None:
        for gate in gates:
            if gate not in self.gates or GATES[gate].num_qubits != qubits:
                native = ", ".join(g for g in self.gates if GATES[g].num_qubits == qubits)
                where = "a qubit" if qubits == 1 else "an edge"
                raise MisfitError((*path, gate), f"'{gate}' is no native gate on {where}; native "
                                  f"there: {native or 'none'}")  # fmt: skip


def check_gate(gate: str, path: Path) -> None:
    """Refuse a gate that Qiskit does not know, or that acts on more than two qubits.

    Raises:
        MisfitError: naming those that can be native.
    """
    if gate not in GATES:
        raise MisfitError(path, f"unknown gate '{gate}'; known: {', '.join(sorted(GATES))}")


def _placed(qubits: tuple[int, ...], usual: Quality, own: Quality | None) -> Placed:
    values = usual.model_copy(update=own.model_dump(exclude_none=True)) if own else usual
    return Placed(qubits, values.error, values.duration_ns)


def _readout(usual: Readout, own: Readout | None) -> Readout:
    """Return a qubit's readout; its exceptions stand for all of its errors."""
    if own is None:
        return usual
    errors = usual if own.mean is None else own
    duration = usual.duration_ns if own.duration_ns is None else own.duration_ns
    return errors.model_copy(update={"duration_ns": duration})


def device_from_file(file: SourceFile, name: str) -> Device:
    """Return the device that a file of our own form describes.

    Args:
        file: TOML or JSON.
        name: if the file gives it none.

    Raises:
        ValidationError: if it is not in form.
        MisfitError: with the contradiction and its place.
    """
    return DeviceFile.of(file.content).device(name)
