"""Amazon Braket's file of a device: its capabilities, with the calibration in them.

`AwsDevice(arn).properties.json()` writes them, and `aws braket get-device` prints them as a text
beside the device's name.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from attrs import frozen

from backends.devices.connected import connected_most
from backends.devices.device_format import SourceFile, device_format
from backends.devices.document import Document
from backends.devices.misfit import MisfitError
from compiler.formats.key_lines import Path
from compiler.targets.device import GATES, NAME, Device, Placed, QubitCalibration
from compiler.targets.target import MAX_QUBITS

BENCHMARKS = ("RANDOMIZED_BENCHMARKING", "SIMULTANEOUS_RANDOMIZED_BENCHMARKING")
"""Protocols of the fidelities of gates on one qubit; of several the first one counts, as in the
SDK's own `LocalEmulator`."""

CONNECTIVITY: Path = ("paradigm", "connectivity")
GRAPH: Path = (*CONNECTIVITY, "connectivityGraph")
OF_ALL = "standardized"
OF_QUBITS: Path = (OF_ALL, "oneQubitProperties")
OF_PAIRS: Path = (OF_ALL, "twoQubitProperties")
OF_IONQ: Path = ("provider", "fidelity", "1Q", "mean")
"""Path of IonQ's values that the standardized properties leave out."""

NUMBER = re.compile(r"0|[1-9][0-9]{0,4}")

Pair = tuple[int, int]


@frozen
class Capabilities:
    """Values of qubits and pairs.

    Args:
        document: with the values.
        labels: Braket's names of the qubits, by our numbers.
    """

    document: Document
    labels: Mapping[int, str]

    @classmethod
    def of(cls, document: Document) -> "Capabilities":
        """Return the values of a document.

        Raises:
            MisfitError: if qubits have no numbers, or if there are too many.
        """
        labels = {_number(document, label) for label in _labels(document)}
        first = first_label(_provider(document))
        if not 2 <= len(labels) <= MAX_QUBITS or not first <= min(labels) <= max(labels) < (
            first + MAX_QUBITS
        ):
            raise document.misfit(GRAPH, f"{len(labels)} qubits are not 2 to {MAX_QUBITS}")
        return cls(document, {label - first: str(label) for label in sorted(labels)})

    def qubit(self, qubit: int) -> QubitCalibration:
        """Return the values of a qubit."""
        if qubit not in self.labels:
            return QubitCalibration()
        fidelities = self._fidelities(qubit)
        return QubitCalibration(
            self._relaxation(qubit, "T1"),
            self._relaxation(qubit, "T2"),
            fidelities.get("READOUT_ERROR_0_TO_1"),
            fidelities.get("READOUT_ERROR_1_TO_0"),
        )

    def measurement(self, qubit: int) -> Placed:
        """Return a qubit's measurement."""
        fidelity = self._fidelities(qubit).get("READOUT")
        if fidelity is None:
            fidelity = self._of_all("readoutFidelity")
        return Placed((qubit,), _error(fidelity), self._duration("readoutDuration"))

    def on_one(self, qubit: int) -> Placed:
        """Return any gate on a qubit."""
        fidelities = self._fidelities(qubit)
        fidelity = next((fidelities[name] for name in BENCHMARKS if name in fidelities), None)
        if fidelity is None:
            fidelity = self._of_all("singleQubitFidelity")
        if fidelity is None and self.document.at(OF_IONQ) is not None:
            fidelity = self.document.share(OF_IONQ, "fidelity")
        return Placed((qubit,), _error(fidelity), self._duration("singleQubitGateDuration"))

    def on_pairs(self, native: str) -> Iterator[Placed]:
        """Yield a gate on the pairs that have it, each in one direction."""
        duration = self._duration("twoQubitGateDuration")
        of_all = self._of_all("twoQubitGateFidelity")
        fidelities = dict(self._of_pairs(native)) if self.document.at(OF_PAIRS) else None
        for pair in self._pairs():
            fidelity = of_all if fidelities is None else fidelities.get(pair, 0.0)
            if fidelity != 0:
                yield Placed(pair, _error(fidelity), duration)

    def _pairs(self) -> Collection[Pair]:
        if _is_full(self.document):
            return list(combinations(self.labels, 2))
        numbers = self._numbers()
        pairs = {
            _pair(numbers[label], numbers[other]): None
            for label in self.document.table_of(GRAPH)
            for other in self.document.texts((*GRAPH, label))
            if other != label
        }
        return list(pairs)

    def _of_pairs(self, native: str) -> Iterator[tuple[Pair, float]]:
        numbers = self._numbers()
        for key in self.document.table_of(OF_PAIRS):
            ends = [numbers[end] for end in key.split("-") if end in numbers]
            if len(ends) != 2:
                continue
            path = (*OF_PAIRS, key, "twoQubitGateFidelity")
            for place in range(len(self.document.list_of(path))):
                name = str(self.document.at((*path, place, "gateName")))
                if name.lower() == native.lower():
                    yield _pair(*ends), self.document.share((*path, place, "fidelity"), "fidelity")

    def _numbers(self) -> Mapping[str, int]:
        return {label: qubit for qubit, label in self.labels.items()}

    def _fidelities(self, qubit: int) -> Mapping[str, float]:
        """Return the fidelities of a qubit by kind."""
        path = (*OF_QUBITS, self.labels[qubit], "oneQubitFidelity")
        return {
            str(self.document.at((*path, place, "fidelityType", "name"))): self.document.share(
                (*path, place, "fidelity"), "fidelity"
            )
            for place in range(len(self.document.optional_list(path)))
        }

    def _of_all(self, name: str) -> float | None:
        """Return a fidelity that is told of all qubits or pairs together."""
        path = (OF_ALL, name, 0, "fidelity")
        return None if self.document.at(path) is None else self.document.share(path, "fidelity")

    def _duration(self, name: str) -> float | None:
        """Return a duration that is the same for all qubits, in nanoseconds."""
        path = (OF_ALL, name)
        return None if self.document.at(path) is None else self.document.nanoseconds(path, name)

    def _relaxation(self, qubit: int, name: str) -> float | None:
        """Return T1 or T2 in microseconds; 0 stands for an unmeasured value."""
        for path in ((*OF_QUBITS, self.labels[qubit], name), (OF_ALL, name)):
            if self.document.at(path) is not None:
                return self.document.nanoseconds(path, name) / 1e3 or None
        return None


def _is_full(document: Document) -> bool:
    return document.at((*CONNECTIVITY, "fullyConnected")) is True


def _labels(document: Document) -> Sequence[str]:
    """Return the labels that the graph names, without one as many as there are qubits.

    Qubits that are calibrated and coupled to none are among them.
    """
    if not document.at(GRAPH) and _is_full(document):
        number = document.whole(("paradigm", "qubitCount"))
        return [str(qubit) for qubit in range(min(number, MAX_QUBITS + 1))]
    graph = document.table_of(GRAPH)
    coupled = [other for node in graph for other in document.texts((*GRAPH, node))]
    qubits = document.table_of(OF_QUBITS) if document.at(OF_QUBITS) is not None else {}
    return [*graph, *coupled, *filter(_is_number, qubits)]


def _number(document: Document, label: str) -> int:
    if not _is_number(label):
        raise document.misfit(GRAPH, f"qubit '{label}' has no number: describe the device in TOML")
    return int(label)


def _is_number(label: str) -> bool:
    return NUMBER.fullmatch(label) is not None


def _pair(a: int, b: int) -> Pair:
    return (a, b) if a < b else (b, a)


def _error(fidelity: float | None) -> float | None:
    return None if fidelity is None else 1 - fidelity


AS_TEXT = "deviceCapabilities"
SCHEMAS = "braket.device_schema."

NATIVE: Mapping[str, str] = {
    "cz": "cz", "iswap": "iswap", "xx": "rxx", "rxx": "rxx", "zz": "rzz",
    "prx": "r", "r": "r", "gpi": "r", "gpi2": "r", "rx": "rx", "rz": "rz",
}  # fmt: skip
"""Qiskit's names of Braket's native gates; those on two qubits are the same in both directions.

GPi(φ) and GPi2(φ) are R(π, φ) and R(π/2, φ) up to a phase.
"""

NATIVE_OF_RIGETTI: Mapping[str, str] = {**NATIVE, "rx": "sx"}
"""Rigetti's RX turns by multiples of π/2 only."""

FRAME = "rz"
"""No pulse, where turns about other axes are pulses: without error, in no time."""

Places = dict[tuple[int, ...], Placed]


def first_label(provider: str) -> int:
    """Return the label of the first qubit, qubit 0 of our targets: IQM's QB1 is `1`.

    Args:
        provider: part of a schema's name or an ARN, such as `ionq`.
    """
    return 1 if provider == "iqm" else 0


def is_capabilities(content: Mapping[str, Any]) -> bool:
    """Return whether a document is Braket's description of a device."""
    return AS_TEXT in content or _schema(Document(content)).startswith(SCHEMAS)


@device_format("braket", is_capabilities)
def device_from_braket(file: SourceFile, name: str) -> Device:
    """Return the device that Braket's capabilities describe.

    Qubits have their labels for numbers, IQM's less 1; missing labels are qubits without a gate.
    Where fidelities of pairs are given, pairs without one, or with one of 0, are left out, and with
    them the parts that they alone connect to the largest part.

    Args:
        file: the capabilities, or what `aws braket get-device` prints.
        name: if the file has none.

    Raises:
        MisfitError: with the fault.
    """
    document = _capabilities(file.content)
    capabilities = Capabilities.of(document)
    gates = _gates(document, capabilities)
    pairs = connected_most(at for gate in gates.values() for at in gate if len(at) == 2)
    if not pairs:
        raise document.misfit(
            ("paradigm", "nativeGateSet"),
            "no native gate on two qubits that is known has a fidelity above 0; known: "
            + ", ".join(NATIVE),
        )
    placed = {
        gate: tuple(entry for at, entry in sorted(places.items()) if len(at) == 1 or at in pairs)
        for gate, places in gates.items()
    }
    placed["measure"] = tuple(
        capabilities.measurement(qubit) for qubit in sorted(capabilities.labels)
    )
    device_name = str(file.content.get("deviceName") or name)
    return Device(
        device_name if NAME.fullmatch(device_name) else name,
        tuple(capabilities.qubit(qubit) for qubit in range(1 + max(capabilities.labels))),
        {gate: places for gate, places in placed.items() if places},
        calibrated_at=str(
            document.at((OF_ALL, "updatedAt")) or document.at(("service", "updatedAt")) or ""
        ),
    )


def _capabilities(content: Mapping[str, Any]) -> Document:
    if AS_TEXT not in content:
        return Document(content)
    try:
        inner = json.loads(content[AS_TEXT])
    except (TypeError, ValueError, RecursionError) as error:
        raise MisfitError((AS_TEXT,), f"{AS_TEXT} must be JSON in a text: {error}") from error
    if not isinstance(inner, dict):
        raise MisfitError((AS_TEXT,), f"{AS_TEXT} must be an object in a text")
    return Document(inner, inside=(AS_TEXT,))


def _schema(document: Document) -> str:
    return str(document.at(("braketSchemaHeader", "name")))


def _provider(document: Document) -> str:
    return _schema(document).removeprefix(SCHEMAS).partition(".")[0]


def _gates(document: Document, capabilities: Capabilities) -> dict[str, Places]:
    """Return the native gates that are known, by where they are."""
    names = NATIVE_OF_RIGETTI if _provider(document) == "rigetti" else NATIVE
    result: dict[str, Places] = {}
    for native in document.texts(("paradigm", "nativeGateSet")):
        gate = names.get(native.lower())
        if gate is not None:
            result[gate] = {entry.qubits: entry for entry in _placed(gate, native, capabilities)}
    return result


def _placed(gate: str, native: str, capabilities: Capabilities) -> Iterator[Placed]:
    if gate == FRAME:
        yield from (Placed((qubit,), 0.0, 0.0) for qubit in capabilities.labels)
    elif GATES[gate].num_qubits == 1:
        yield from map(capabilities.on_one, capabilities.labels)
    else:
        for pair in capabilities.on_pairs(native):
            yield from (pair, Placed(pair.qubits[::-1], pair.error, pair.duration_ns))
