"""IBM's files of a device: its configuration, and the properties of its last calibration.

They are what Qiskit's fake backends ship as `conf_*.json` and `props_*.json`, and what
`BackendConfiguration.to_dict` and `BackendProperties.to_dict` write.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from backends.devices.connected import connected_most
from backends.devices.device_format import SourceFile, device_format
from backends.devices.document import NANOSECONDS, Document
from compiler.formats.key_lines import Path
from compiler.targets.device import GATES, NAME, Device, Placed, QubitCalibration
from compiler.targets.target import MAX_QUBITS

CONFIGURATION, PROPERTIES = "conf_", "props_"
"""Prefixes of the names of IBM's files."""

DT_NS = 1.0
"""Name of a device whose configuration is missing."""


def is_configuration(content: Mapping[str, Any]) -> bool:
    """Return whether a document is a configuration."""
    return "basis_gates" in content and "n_qubits" in content


def is_properties(content: Mapping[str, Any]) -> bool:
    """Return whether a document is a calibration."""
    return "last_update_date" in content or isinstance(content.get("qubits"), list)


@device_format("ibm", lambda content: is_configuration(content) or is_properties(content))
def device_from_ibm(file: SourceFile, name: str) -> Device:
    """Return the device that IBM's files describe, of which one is enough.

    The configuration says which gates exist where; the properties say how good they are, and
    where they exist if there is no configuration. Beside `conf_NAME.json` the other one is
    `props_NAME.json`.

    Gates on two qubits with a calibrated error of 1 are left out, so are couplers without another
    gate or of a qubit of which a gate has an error of 1, and with them the parts that they alone
    connect to the largest part. Gates that Qiskit does not know, such as further measurements, or
    that the configuration does not list as native, are left out as well.

    Args:
        file: one of them; the other one is looked for beside it.
        name: if neither tells one.

    Raises:
        MisfitError: with the fault and its file.
    """
    conf, props = (Document(each.content, each) for each in _both(file))
    calibrated = list(_calibrated(props))
    places: dict[str, dict[tuple[int, ...], Placed]] = {}
    if conf.said:
        qubits = conf.whole(("n_qubits",))
        native = [gate for gate in conf.texts(("basis_gates",)) if gate in GATES]
        for gate, at in _configured(conf, native):
            places.setdefault(gate, {})[at] = Placed(at)
    else:
        qubits = len(props.list_of(("qubits",)))
    for gate, entry in calibrated:
        if not conf.said or gate in places or gate == "reset":
            places.setdefault(gate, {})[entry.qubits] = entry
    if not 2 <= qubits <= MAX_QUBITS:
        raise conf.misfit(("n_qubits",), f"{qubits} qubits are not 2 to {MAX_QUBITS}")
    for named in (qubit for place in places.values() for pair in place for qubit in pair):
        if named >= qubits:
            raise conf.misfit(("gates",), f"there is no qubit {named}; they are 0 to {qubits - 1}")
    working = {
        gate: {at: entry for at, entry in place.items() if (entry.error or 0) < 1}
        for gate, place in places.items()
    }
    dead = {at for gate, place in places.items() for at in place.keys() - working[gate].keys()}
    pairs = connected_most(
        at
        for place in working.values()
        for at in place
        if len(at) == 2 and dead.isdisjoint((qubit,) for qubit in at)
    )
    if not pairs:
        raise conf.misfit(("gates",), "there is no gate on two qubits with an error below 1")
    gates = {
        gate: tuple(
            entry
            for at, entry in sorted(place.items())
            if len(at) == 1 or (at in pairs and at in working[gate])
        )
        for gate, place in places.items()
    }
    calibrations, gates["measure"] = _qubits(props, qubits)
    device_name = str((conf.said or props.said).get("backend_name") or name)
    return Device(
        device_name if NAME.fullmatch(device_name) else name,
        calibrations,
        {gate: on for gate, on in gates.items() if on},
        DT_NS if conf.at(("dt",)) is None else conf.amount(("dt",), "dt") or DT_NS,
        str(props.said.get("last_update_date") or "")[:40],
    )


def _both(file: SourceFile) -> tuple[SourceFile, SourceFile]:
    """Return the configuration and the properties, of which one may be empty."""
    stem = file.path.name.removeprefix(CONFIGURATION).removeprefix(PROPERTIES)
    is_named = file.path.name != stem
    if is_configuration(file.content):
        return file, file.beside(PROPERTIES + stem) if is_named else evolve(file, content={})
    return file.beside(CONFIGURATION + stem) if is_named else evolve(file, content={}), file


WANTED: Mapping[str, bool] = {
    "T1": True, "T2": True, "readout_length": True, "gate_length": True,
    "readout_error": False, "prob_meas1_prep0": False, "prob_meas0_prep1": False,
    "gate_error": False,
}  # fmt: skip
"""Values of qubits and gates that are read, and whether each is a time."""


def _on(document: Document, path: Path) -> tuple[int, ...]:
    """Return the qubits that a gate is on."""
    return tuple(document.whole((*path, n)) for n in range(len(document.list_of(path))))


def _values(props: Document, path: Path) -> dict[str, float]:
    """Return named values, durations in nanoseconds and probabilities as they are."""
    result = {}
    for place in range(len(props.list_of(path))):
        here = (*path, place)
        name, value = str(props.at((*here, "name"), "")), props.at((*here, "value"))
        # A value that a calibration could not measure is missing, or no number.
        if name in WANTED and value is not None and str(value) != "nan":
            if WANTED[name]:
                result[name] = props.nanoseconds(here, name)
            else:
                result[name] = props.share((*here, "value"), name)
    return result


def _configured(conf: Document, native: Sequence[str]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the places of native gates, by the configuration of each, or of all."""
    edges = [_on(conf, ("coupling_map", n)) for n in range(len(conf.list_of(("coupling_map",))))]
    alone = [(qubit,) for qubit in range(conf.whole(("n_qubits",)))]
    own = {
        str(conf.at(("gates", n, "name"))): [
            _on(conf, ("gates", n, "coupling_map", place))
            for place in range(len(conf.optional_list(("gates", n, "coupling_map"))))
        ]
        for n in range(len(conf.optional_list(("gates",))))
    }
    for gate in native:
        usual = alone if GATES[gate].num_qubits == 1 else edges
        for at in own.get(gate) or usual:
            if len(at) == GATES[gate].num_qubits:
                yield gate, at


def _calibrated(props: Document) -> Iterator[tuple[str, Placed]]:
    """Yield the gates of a calibration."""
    for n in range(len(props.optional_list(("gates",)))):
        gate, at = str(props.at(("gates", n, "gate"))), _on(props, ("gates", n, "qubits"))
        if gate in GATES and GATES[gate].num_qubits != len(at):
            raise props.misfit(("gates", n, "gate"), f"gate '{gate}' is on {len(at)} qubits")
        if gate not in GATES and gate != "reset":
            continue
        values = _values(props, ("gates", n, "parameters"))
        yield gate, Placed(at, values.get("gate_error"), values.get("gate_length"))


def _qubits(
    props: Document, qubits: int
) -> tuple[tuple[QubitCalibration, ...], tuple[Placed, ...]]:
    """Return the values of every qubit, and of its measurement."""
    calibrations, measured = [], []
    for qubit in range(qubits):
        path = ("qubits", qubit)
        values = _values(props, path) if props.at(path) is not None else {}
        t1, t2 = values.get("T1"), values.get("T2")
        calibrations.append(
            QubitCalibration(
                None if not t1 else t1 / NANOSECONDS["us"],
                None if not t2 else t2 / NANOSECONDS["us"],
                values.get("prob_meas1_prep0"),
                values.get("prob_meas0_prep1"),
            )
        )
        measured.append(Placed((qubit,), values.get("readout_error"), values.get("readout_length")))
    return tuple(calibrations), tuple(measured)
