"""What Braket's capabilities of a device tell of its qubits and pairs.

Their form is in `braket.device_schema`: the `paradigm` says which qubits there are and which are
coupled; the `standardized` properties, of versions 1 to 3, tell fidelities, of each qubit and
pair, or of all of them together.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from attrs import frozen

from compiler.formats.key_lines import Path
from compiler.targets.device import Placed, QubitCalibration
from compiler.targets.target import MAX_QUBITS
from workers.devices.document import Document

BENCHMARKS = ("RANDOMIZED_BENCHMARKING", "SIMULTANEOUS_RANDOMIZED_BENCHMARKING")
"""How fidelities of gates on one qubit are measured; of several the first one counts, as in the
SDK's own `LocalEmulator`."""

CONNECTIVITY: Path = ("paradigm", "connectivity")
GRAPH: Path = (*CONNECTIVITY, "connectivityGraph")
OF_ALL = "standardized"
OF_QUBITS: Path = (OF_ALL, "oneQubitProperties")
OF_PAIRS: Path = (OF_ALL, "twoQubitProperties")
OF_IONQ: Path = ("provider", "fidelity", "1Q", "mean")
"""Where IonQ's tell what the standardized properties leave out."""

NUMBER = re.compile(r"0|[1-9][0-9]{0,4}")

Pair = tuple[int, int]


@frozen
class Capabilities:
    """What is told of qubits and pairs.

    Args:
        document: that tells it.
        labels: Braket's names of the qubits, by our numbers.
    """

    document: Document
    labels: Mapping[int, str]

    @classmethod
    def of(cls, document: Document) -> "Capabilities":
        """Return what a document tells.

        Raises:
            MisfitError: if qubits have no numbers, or if there are too many.
        """
        labels = {_number(document, one) for one in _labels(document)}
        if not 2 <= len(labels) <= MAX_QUBITS or max(labels) - min(labels) >= MAX_QUBITS:
            raise document.misfit(GRAPH, f"{len(labels)} qubits are not 2 to {MAX_QUBITS}")
        return cls(document, {one - min(labels): str(one) for one in sorted(labels)})

    def qubit(self, qubit: int) -> QubitCalibration:
        """Return what is known of a qubit."""
        if qubit not in self.labels:
            return QubitCalibration()
        known = self._fidelities(qubit)
        return QubitCalibration(
            self._relaxation(qubit, "T1"),
            self._relaxation(qubit, "T2"),
            known.get("READOUT_ERROR_0_TO_1"),
            known.get("READOUT_ERROR_1_TO_0"),
        )

    def measurement(self, qubit: int) -> Placed:
        """Return a qubit's measurement."""
        fidelity = self._fidelities(qubit).get("READOUT")
        if fidelity is None:
            fidelity = self._of_all("readoutFidelity")
        return Placed((qubit,), _error(fidelity), self._duration("readoutDuration"))

    def on_one(self, qubit: int) -> Placed:
        """Return any gate on a qubit."""
        known = self._fidelities(qubit)
        fidelity = next((known[name] for name in BENCHMARKS if name in known), None)
        if fidelity is None:
            fidelity = self._of_all("singleQubitFidelity")
        if fidelity is None and self.document.at(OF_IONQ) is not None:
            fidelity = self.document.share(OF_IONQ, "fidelity")
        return Placed((qubit,), _error(fidelity), self._duration("singleQubitGateDuration"))

    def on_pairs(self, native: str) -> Iterator[Placed]:
        """Yield a gate on the pairs that have it, each in one direction."""
        duration = self._duration("twoQubitGateDuration")
        of_all = self._of_all("twoQubitGateFidelity")
        told = dict(self._of_pairs(native)) if self.document.at(OF_PAIRS) else None
        for pair in self._pairs():
            fidelity = of_all if told is None else told.get(pair, 0.0)
            if fidelity != 0:
                yield Placed(pair, _error(fidelity), duration)

    def _pairs(self) -> Collection[Pair]:
        if _is_full(self.document):
            return list(combinations(self.labels, 2))
        numbers = self._numbers()
        found = {
            _pair(numbers[label], numbers[other]): None
            for label in self.document.table_of(GRAPH)
            for other in self.document.texts((*GRAPH, label))
            if other != label
        }
        return list(found)

    def _of_pairs(self, native: str) -> Iterator[tuple[Pair, float]]:
        numbers = self._numbers()
        for key in self.document.table_of(OF_PAIRS):
            ends = [numbers[one] for one in key.split("-") if one in numbers]
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
        """Return what is told of a qubit, by the kind of fidelity."""
        path = (*OF_QUBITS, self.labels[qubit], "oneQubitFidelity")
        known = self.document.list_of(path) if self.document.at(path) is not None else ()
        return {
            str(self.document.at((*path, place, "fidelityType", "name"))): self.document.share(
                (*path, place, "fidelity"), "fidelity"
            )
            for place in range(len(known))
        }

    def _of_all(self, name: str) -> float | None:
        """Return a fidelity that is told of all qubits or pairs together."""
        path = (OF_ALL, name, 0, "fidelity")
        return None if self.document.at(path) is None else self.document.share(path, "fidelity")

    def _duration(self, name: str) -> float | None:
        """Return the duration of what takes all qubits the same time, in nanoseconds."""
        path = (OF_ALL, name)
        return None if self.document.at(path) is None else self.document.nanoseconds(path, name)

    def _relaxation(self, qubit: int, name: str) -> float | None:
        """Return T1 or T2 in microseconds; 0 stands for what was not measured."""
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
    coupled = [other for one in graph for other in document.texts((*GRAPH, one))]
    known = document.table_of(OF_QUBITS) if document.at(OF_QUBITS) is not None else {}
    return [*graph, *coupled, *filter(_is_number, known)]


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
