"""The command `targets`."""

from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer

from compiler.targets import target_families
from service.cli.options import Json
from service.cli.output.printing import print_json, print_table


def targets_command(
    device: Annotated[
        str,
        typer.Argument(
            metavar="[DEVICE.toml|DEVICE.json]",
            help="Show what this device's file says.",
            show_default=False,
        ),
    ] = "",
    *,
    as_json: Json = False,
) -> None:
    """List the targets that circuits can be lowered to, or show a device that a file describes.

    A target is written family:size, family:device or family:size:gates, with gates one of cx, cz
    and iqm; or it is the file of a device of your own. Without a size, all and star are as large
    as the program.

    Examples:
    - `stichwerk targets`

    - `stichwerk targets my-device.toml`
    """
    if device:
        answer = _described(device)
        if as_json:
            print_json(answer)
        else:
            _print_device(answer)
        return
    rows = [
        {"target": name, "summary": family.summary, "devices": list(family.devices)}
        for name, family in target_families.items()
    ]
    if as_json:
        print_json({"targets": rows})
        return
    print_table(
        "Targets",
        ("family", "how to write it", "devices"),
        [(r["target"], r["summary"], ", ".join(r["devices"])) for r in rows],
    )


def _described(file: str) -> dict[str, Any]:
    """Return what was read of a device's file."""
    # It takes long to import, and the list of targets does not need it.
    from attrs import asdict

    from compiler.targets.device import GATES, known_device
    from workers.devices.reading import read_device

    spec = read_device(Path(file))
    device = known_device(spec)
    assert device is not None
    on_two = {name for name in device.gates if name in GATES and GATES[name].num_qubits == 2}
    edges = sorted({one.qubits for name in on_two for one in device.gates[name]})
    joined = {qubit for edge in edges for qubit in edge}
    return {
        "target": spec,
        "qubits": len(device.qubits),
        "edges": edges,
        "out_of_reach": [qubit for qubit in range(len(device.qubits)) if qubit not in joined],
        "gates": {
            name: [asdict(one) for one in places] for name, places in sorted(device.gates.items())
        },
        "calibration": [asdict(qubit) for qubit in device.qubits],
        "dt_ns": device.dt_ns,
    }


def _print_device(answer: dict[str, Any]) -> None:
    edges = [tuple(edge) for edge in answer["edges"]]
    known = set(edges)
    both = [(a, b) for a, b in edges if a < b and (b, a) in known]
    one_way = [(a, b) for a, b in edges if (b, a) not in known]
    lost = ", ".join(map(str, answer["out_of_reach"])) or "none"
    print_table(
        "Device",
        ("", ""),
        [
            ("target", answer["target"]),
            ("qubits", answer["qubits"]),
            ("edges, both ways", _listed(both)),
            ("edges, one way only", _listed(one_way)),
            ("qubits without an edge", lost),
        ],
    )
    print_table(
        "Gates (median, least and most where they differ)",
        ("gate", "places", "error", "duration, ns"),
        [
            (
                name,
                len(places),
                _spread([place["error"] for place in places]),
                _spread([place["duration_ns"] for place in places]),
            )
            for name, places in answer["gates"].items()
        ],
    )
    print_table(
        "Qubits (median, least and most where they differ)",
        ("", "value"),
        [
            (title, _spread([qubit[key] for qubit in answer["calibration"]]))
            for title, key in (
                ("T1, µs", "t1_us"),
                ("T2, µs", "t2_us"),
                ("|0⟩ is read as 1", "one_for_zero"),
                ("|1⟩ is read as 0", "zero_for_one"),
            )
        ],
    )


MOST_LISTED = 24


def _listed(edges: list[tuple[int, int]]) -> str:
    shown = " ".join(f"{a}-{b}" for a, b in edges[:MOST_LISTED])
    return f"{len(edges)}: {shown}{' …' if len(edges) > MOST_LISTED else ''}" if edges else "none"


def _spread(values: list[float | None]) -> str:
    """Return the median with the range, and how many are not known."""
    known = [value for value in values if value is not None]
    if not known:
        return "not known"
    low, high = min(known), max(known)
    text = f"{median(known):.4g}" + (f" ({low:.4g} to {high:.4g})" if low < high else "")
    lacking = len(values) - len(known)
    return f"{text}; {lacking} not known" if lacking else text
