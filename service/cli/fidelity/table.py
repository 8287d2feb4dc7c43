"""The table of the command `fidelity`, and what its figures mean."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from compiler.words.held_inputs import count_text
from service.cli.output.printing import print_table

COLUMNS = (
    "device", "circuit", "2q gates", "shots", "readout", "Hellinger", "normalised", "by bits",
    "post Hellinger", "post normalised", "TVD", "legal", "P(win)", "95 % interval",
)  # fmt: skip
READOUT = {"raw": "as measured", "mitigated": "mitigated"}
FLATTERED = 0.99
"""Hellinger fidelity of post-selected noise above which such figures say nothing."""
OBJECTIVES = {"two_qubit_gates": "fewest gates"}


def print_fidelity(answer: dict[str, Any], path: Path | None) -> None:
    """Print every run as measured and mitigated, and uniform noise for reference."""
    rows = [row for run in answer["runs"] for row in _run_rows(run)]
    rows += [_noise_row(noise) for noise in answer["uniform_noise"] if noise["scores"]]
    print_table(
        f"{answer['program']} with the noise of devices; "
        f"exact: normalised 1, P(win) {answer['observables']['win']:.4f}",
        COLUMNS,
        rows,
    )
    print("\n".join(_legend(answer)))
    if path:
        print(f"drawn in {path.resolve()}")


def circuit_name(run: dict[str, Any]) -> str:
    """Return what tells a run's circuit from the others on its device."""
    if run["method"] == "literal":
        return "literal"
    objective = run["objective"]
    return f"{run['encoding']}, {OBJECTIVES.get(objective, objective.replace('_', ' '))}"


def device_name(run: dict[str, Any]) -> str:
    """Return a run's device and the variant of its noise."""
    return str(run["backend"]).removeprefix("aer:").replace(":", ", ")


def flattered(answer: dict[str, Any]) -> list[str]:
    """Return the encodings of which even uniform noise scores well when it is post-selected."""
    posts = [
        (noise["encoding"], (noise["scores"] or {}).get("post_selected"))
        for noise in answer["uniform_noise"]
    ]
    return [name for name, post in posts if post and (post["hellinger_fidelity"] or 0) > FLATTERED]


def _run_rows(run: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    gates = count_text(run["two_qubit_gates"], from_zero=run["from_zero"])
    head = (device_name(run), circuit_name(run), gates, run["shots"])
    for kind, readout in READOUT.items():
        raw = run["scores"][kind]
        win = raw["observables"]["win"]
        interval = f"{win['low']:.3f} to {win['high']:.3f}"
        yield (*head, readout, *_figures(run["scores"], kind), interval)


def _noise_row(noise: dict[str, Any]) -> tuple[object, ...]:
    figures = _figures(noise["scores"], "raw")
    return ("uniform noise", noise["encoding"], None, None, "as measured", *figures, "–")


def _figures(scores: dict[str, Any], kind: str) -> tuple[object, ...]:
    raw = scores[kind]
    post = scores["post_selected" if kind == "raw" else f"{kind}_post_selected"] or {}
    return (
        *_rounded(raw["hellinger_fidelity"], raw["owner_normalized_fidelity"]),
        *_rounded(raw["normalized_fidelity"], post.get("hellinger_fidelity")),
        *_rounded(post.get("normalized_fidelity"), raw["tvd"]),
        *_rounded(raw["legal_fraction"], raw["observables"]["win"]["measured"]),
    )


def _rounded(*figures: float | None) -> tuple[float | None, ...]:
    """Return figures to four decimals, without negative zeros."""
    return tuple(None if figure is None else round(figure, 4) + 0.0 for figure in figures)


def _legend(answer: dict[str, Any]) -> Iterator[str]:
    yield (
        f"normalised: 0 is uniform noise on the {answer['owner_bits']} owner bits, the same for "
        "every encoding; bits that stand for no outcome count as wrong"
    )
    yield (
        "by bits: 0 is uniform noise on all measured bits; post normalised: of the legal shots, "
        "on the scale by bits, where uniform noise is above 0"
    )
    yield (
        "mitigated: readout errors undone by calibration; its interval allows for the noise that "
        "this amplifies"
    )
    for encoding in flattered(answer):
        yield (
            f"post-selected figures of {encoding} say nothing: uniform noise on its bits, "
            "post-selected, scores as well"
        )
    for reason in answer["left_out"]:
        yield f"left out: {reason}"
    for one in answer["devices"]:
        version = f" {one['backend_version']}" if one["backend_version"] else ""
        calibrated = f", calibrated {one['calibrated_at']}" if one["calibrated_at"] else ""
        yield f"{one['device']}: {one['snapshot']}{version}{calibrated}"
    known = ", ".join(f"{name} {version}" for name, version in answer["versions"].items())
    yield f"seed {answer['seed']}; {known}; revision {answer['revision'] or 'unknown'}"
