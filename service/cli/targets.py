"""The command `targets`."""

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from backends import BackendError, backends
from backends.devices.reading import SUFFIXES, target_named
from compiler.errors import InputError
from compiler.targets import target_families, target_from_spec
from compiler.targets.ibm_devices import is_retired
from compiler.targets.readout import device_of
from service.cli.options import Json
from service.cli.output.printing import print_result, print_rows, print_table, say
from service.results import catalog


def targets_command(
    target: Annotated[str, typer.Argument(metavar="[TARGET|DEVICE.toml|DEVICE.json]")] = "",
    *,
    as_json: Json = False,
) -> None:
    """List targets, or show one target or device file.

    A target is family:size, family:device, family:size:gates (gates: cx, cz or iqm), or a device
    file. Without a size, `all` and `star` get the size of the program.

    Examples:
    - `stichwerk targets`

    - `stichwerk targets heavy-hex:boston`

    - `stichwerk targets my-device.toml`

    Options:
        target: Target to show with its edges, gates, errors and durations.
    """
    if target:
        print_result(target_details(target), _print_target, as_json=as_json)
        return
    rows = [
        catalog.TargetRow(
            target=name,
            summary=family.summary,
            devices=[device for device in family.devices if not is_retired(device)],
            retired=[device for device in family.devices if is_retired(device)],
        )
        for name, family in target_families.items()
    ]
    print_result(catalog.TargetList(targets=rows, account=_account()), _print_list, as_json=as_json)


def target_details(text: str) -> catalog.TargetDetails:
    """Return the edges, gates, errors and durations of a target.

    Args:
        text: file of a device, or a spec.

    Raises:
        InputError: if there is no such target, or it is a family.
    """
    if not text.endswith(SUFFIXES) and Path(text).exists():
        raise InputError(f"{text}: the file of a device ends in {' or '.join(SUFFIXES)}")
    if text in target_families:
        size = next(iter(target_families[text].devices), "5")
        raise InputError(f"target '{text}' is a family: show one of it, such as '{text}:{size}'")
    spec = target_named(text)
    device, target = device_of(spec), target_from_spec(spec)
    gates = {
        name: [
            catalog.GatePlace(
                qubits=place.qubits, error=place.error, duration_ns=_rounded(place.duration_ns)
            )
            for place in sorted(places, key=lambda place: place.qubits)
        ]
        for name, places in sorted(device.gates.items())
        if name != "delay" and places
    }
    edges = sorted({
        (of.qubits[0], of.qubits[1])
        for places in gates.values() for of in places if len(of.qubits) == 2
    })  # fmt: skip
    joined = {qubit for edge in edges for qubit in edge}
    calibration = [
        catalog.QubitCalibration.from_objects(
            qubit, t1_us=_rounded(qubit.t1_us), t2_us=_rounded(qubit.t2_us)
        )
        for qubit in device.qubits
    ]
    return catalog.TargetDetails(
        target=spec,
        qubits=target.num_qubits,
        edges=edges,
        out_of_reach=[qubit for qubit in range(target.num_qubits) if qubit not in joined],
        gates=gates,
        calibration=calibration,
        dt_ns=None if target.dt is None else _rounded(device.dt_ns),
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _print_list(result: catalog.TargetList) -> None:
    print_rows("Targets", result.targets, "family=target", "name=summary", "devices")
    print_rows(
        "Retired devices, with their last calibration",
        [row for row in result.targets if row.retired],
        "family=target", "devices=retired",
    )  # fmt: skip
    _print_account(result.account)


def _print_target(result: catalog.TargetDetails) -> None:
    edges = set(result.edges)
    both = [(a, b) for a, b in result.edges if a < b and (b, a) in edges]
    one_way = [(a, b) for a, b in result.edges if (b, a) not in edges]
    print_table(
        "Target",
        ("", ""),
        [
            ("target", result.target),
            ("qubits", result.qubits),
            ("edges, both ways", _listed(both)),
            ("edges, one way only", _listed(one_way)),
            ("qubits without an edge", ", ".join(map(str, result.out_of_reach)) or "none"),
        ],
    )
    print_rows(
        "Gates (median, and the range where they differ)",
        [
            (name, len(places), _spread([of.error for of in places]),
             _spread([of.duration_ns for of in places]))
            for name, places in result.gates.items()
        ],
        "gate=0", "places=1", "error=2", "duration, ns=3",
    )  # fmt: skip
    print_table(
        "Qubits (median, and the range where they differ)",
        ("", "value"),
        [
            (title, _spread([getattr(qubit, name) for qubit in result.calibration]))
            for title, name in (
                ("T1, µs", "t1_us"),
                ("T2, µs", "t2_us"),
                ("|0⟩ is read as 1", "one_for_zero"),
                ("|1⟩ is read as 0", "zero_for_one"),
            )
        ],
    )


MAX_LISTED = 24


def _listed(edges: list[tuple[int, int]]) -> str:
    shown = " ".join(f"{a}-{b}" for a, b in edges[:MAX_LISTED])
    return f"{len(edges)}: {shown}{' …' if len(edges) > MAX_LISTED else ''}" if edges else "none"


def _spread(values: list[float | None]) -> str:
    """Return the median with the range, and how many are not known."""
    figures = [value for value in values if value is not None]
    if not figures:
        return "not known"
    low, high = min(figures), max(figures)
    text = f"{median(figures):.4g}" + (f" ({low:.4g} to {high:.4g})" if low < high else "")
    lacking = len(values) - len(figures)
    return f"{text}; {lacking} not known" if lacking else text


def backends_command(*, as_json: Json = False) -> None:
    """List the backends that can run circuits.

    Example: `stichwerk backends`
    """
    rows = [
        catalog.BackendRow(backend=name, summary=of.summary, devices=list(of.devices))
        for name, of in backends.items()
    ]
    print_result(catalog.BackendList(backends=rows, account=_account()), _print, as_json=as_json)


def _account() -> list[catalog.AccountDeviceRow]:
    """Return the devices of all providers; say why a provider does not list those of an account."""
    rows: list[catalog.AccountDeviceRow] = []
    for family in backends.values():
        try:
            rows += [
                catalog.AccountDeviceRow.from_objects(device) for device in family.list_account()
            ]
        except BackendError as error:
            say(str(error))
    return rows


def _print(result: catalog.BackendList) -> None:
    print_rows("Backends", result.backends, "backend", "description=summary", "devices")
    _print_account(result.account)


def _print_account(devices: Sequence[catalog.AccountDeviceRow]) -> None:
    print_rows("Devices", devices, "backend", "family", "qubits", "queue", "status")
