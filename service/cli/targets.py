"""The command `targets`."""

from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer

from compiler.errors import InputError
from compiler.targets import target_families
from service.cli.options import Json
from service.cli.output.printing import print_json, print_table


def targets_command(
    target: Annotated[
        str,
        typer.Argument(
            metavar="[TARGET|DEVICE.toml|DEVICE.json]",
            help="Show this one: its edges, gates, errors and durations.",
            show_default=False,
        ),
    ] = "",
    *,
    as_json: Json = False,
) -> None:
    """List the targets that circuits can be lowered to, or show one, also that of a file.

    A target is written family:size, family:device or family:size:gates, with gates one of cx, cz
    and iqm; or it is the file of a device of your own. Without a size, all and star are as large
    as the program.

    Examples:
    - `stichwerk targets`

    - `stichwerk targets heavy-hex:torino`

    - `stichwerk targets my-device.toml`
    """
    if target:
        answer = _described(target)
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


def _described(text: str) -> dict[str, Any]:
    """Return what is known of a target: that of a device's file, or of a spec."""
    # It takes long to import, and the list of targets does not need it.
    from compiler.targets import target_from_spec
    from compiler.targets.readout import readout_errors
    from workers.devices.naming import SUFFIXES, target_named

    if not text.endswith(SUFFIXES) and Path(text).exists():
        raise InputError(f"{text}: the file of a device ends in {' or '.join(SUFFIXES)}")
    if text in target_families:
        size = next(iter(target_families[text].devices), "5")
        raise InputError(f"target '{text}' is a family: show one of it, such as '{text}:{size}'")
    spec = target_named(text)
    target, readout = target_from_spec(spec), readout_errors(spec)
    gates = {
        name: [
            {"qubits": list(qubits), "error": one and one.error,
             "duration_ns": _scaled(one and one.duration, 1e9)}
            for qubits, one in sorted(target[name].items())
        ]
        for name in sorted(target.operation_names)
        if name != "delay" and None not in target[name]
    }  # fmt: skip
    edges = sorted({
        (one["qubits"][0], one["qubits"][1])
        for places in gates.values() for one in places if len(one["qubits"]) == 2
    })  # fmt: skip
    joined = {qubit for edge in edges for qubit in edge}
    times = target.qubit_properties or [None] * target.num_qubits
    return {
        "target": spec,
        "qubits": target.num_qubits,
        "edges": edges,
        "out_of_reach": [qubit for qubit in range(target.num_qubits) if qubit not in joined],
        "gates": gates,
        "calibration": [
            {"t1_us": _scaled(getattr(times[place], "t1", None), 1e6),
             "t2_us": _scaled(getattr(times[place], "t2", None), 1e6),
             "one_for_zero": readout[place].one_for_zero if place in readout else None,
             "zero_for_one": readout[place].zero_for_one if place in readout else None}
            for place in range(target.num_qubits)
        ],
        "dt_ns": _scaled(target.dt, 1e9),
    }  # fmt: skip


def _scaled(seconds: float | None, factor: float) -> float | None:
    return None if seconds is None else round(seconds * factor, 6)


def _print_device(answer: dict[str, Any]) -> None:
    edges = [tuple(edge) for edge in answer["edges"]]
    known = set(edges)
    both = [(a, b) for a, b in edges if a < b and (b, a) in known]
    one_way = [(a, b) for a, b in edges if (b, a) not in known]
    lost = ", ".join(map(str, answer["out_of_reach"])) or "none"
    print_table(
        "Target",
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
