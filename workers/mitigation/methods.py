"""Methods of error mitigation, the further runs that they need, and the values they give."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from attrs import asdict, evolve
from qiskit import QuantumCircuit

from backends import Backend
from backends.noise_methods import twirls
from compiler.dynamic.pieces import is_dynamic
from compiler.errors import InputError, meant
from compiler.scores.mitigation import extrapolated
from compiler.scores.scoring import Estimate
from compiler.words.run_options import (
    AMPLIFYING,
    DECOUPLING,
    MITIGATION,
    PLAIN,
    TWIRLING,
    RunOptions,
)
from workers.records.tables import MICRO, Job

FACTORS = (3, 5)
"""Repetitions of each two-qubit gate for zero-noise extrapolation, besides once."""


def methods_from_text(text: str) -> tuple[str, ...]:
    """Return the methods that a text names, separated by commas, in the order of `MITIGATION`.

    Raises:
        InputError: if it names another.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in MITIGATION:
            raise InputError(f"mitigation '{name}': unknown; {meant(name, MITIGATION)}")
    return tuple(name for name in MITIGATION if name in names)


def treatments_of(methods: Sequence[str]) -> tuple[RunOptions, ...]:
    """Return the runs that methods take, the plain one first."""
    quiet = RunOptions(DECOUPLING in methods, TWIRLING in methods)
    once = () if quiet == PLAIN else (quiet,)
    louder = (evolve(quiet, noise=n) for n in FACTORS) if AMPLIFYING in methods else ()
    return (PLAIN, *once, *louder)


def check_methods(
    spec: str, backend: Backend, methods: Sequence[str], circuit: QuantumCircuit, shots: int
) -> None:
    """Refuse methods that a backend lacks, or that do not suit a program.

    Args:
        spec: of the backend, for messages.
        backend: where it is to run.
        methods: requested ones.
        circuit: of the program, compiled or not.
        shots: of each run.

    Raises:
        InputError: naming the first of them.
    """
    can = backend.treatments()
    for name in methods:
        if name not in can:
            listed = [method for method in MITIGATION if method in can]
            hint = f"it supports {', '.join(listed) or 'none'}"
            raise InputError(f"mitigation '{name}': backend '{spec}' does not support it; {hint}")
    if is_dynamic(circuit):
        raise InputError(
            f"mitigation '{methods[0]}': the program has mid-circuit measurements; only circuits "
            "with all measurements at their end are mitigated"
        )
    if TWIRLING in methods:
        twirls(shots)


RAW, TREATED, EXTRAPOLATED = "raw", "treated", "extrapolated"


def mitigated_document(methods: Sequence[str], jobs: Sequence[Job]) -> dict[str, Any]:
    """Return the raw run's fidelity and observables beside the mitigated ones.

    `treated` is the run with decoupling or twirling, `extrapolated` the result of zero-noise
    extrapolation of the runs with more noise; each is None unless it was requested. Values are
    extrapolated after their readout errors are undone, if those are known: repeated gates do not
    make them grow. The result has no counts, and so no fidelity.

    Args:
        methods: requested ones.
        jobs: all done, in the order of `treatments_of`.
    """
    runs = [(job.run_options, job, job.scored.get("raw")) for job in jobs]
    _, _, raw = runs[0]
    quiet = [run for run in runs[1:] if run[0].noise == 1]
    louder = [run for run in runs[1:] if run[0].noise > 1]
    once = quiet[0] if quiet else runs[0]
    line = [once, *louder] if AMPLIFYING in methods else []
    kind = "mitigated" if all("mitigated" in job.scored for _, job, _ in line) else "raw"
    points = [(run.noise, job.scored.get(kind)) for run, job, _ in line]
    observables: dict[str, Any] = {}
    treated = quiet[0][2] if quiet else None
    for name, first in raw.observables.items() if raw else ():
        of_line = [(n, score.observables[name]) for n, score in points if score is not None]
        limit = None
        if line and len(of_line) == len(line):
            limit = extrapolated([n for n, _ in of_line], [estimate for _, estimate in of_line])
        observables[name] = {
            "kind": first.kind,
            "exact": first.exact,
            RAW: _figures(first),
            TREATED: _figures(treated.observables[name]) if treated else None,
            EXTRAPOLATED: _figures(limit),
        }
    return {
        "methods": list(methods),
        "runs": [_run(treatment, job, jobs) for treatment, job, _ in runs],
        "extra": _extra(jobs),
        "extrapolated_from": kind if line else None,
        "normalized_fidelity": {
            RAW: raw and raw.normalized_fidelity,
            TREATED: treated and treated.normalized_fidelity,
        },
        "observables": observables,
    }


def _figures(estimate: Estimate | None) -> dict[str, Any] | None:
    if estimate is None:
        return None
    return {name: asdict(estimate)[name] for name in ("measured", "low", "high")}


def _run(treatment: RunOptions, job: Job, jobs: Sequence[Job]) -> dict[str, Any]:
    cost = _cost(job, jobs)
    return {
        "job": job.id,
        **asdict(treatment),
        "shots": job.shots,
        "cost_usd": None if cost is None else f"{Decimal(cost) / MICRO:f}",
    }


def _extra(jobs: Sequence[Job]) -> dict[str, Any]:
    extra = jobs[1:]
    costs = [cost for job in extra if (cost := _cost(job, jobs)) is not None]
    return {
        "circuits": len(extra),
        "shots": sum(job.shots for job in extra),
        "cost_usd": f"{Decimal(sum(costs)) / MICRO:f}" if costs else None,
    }


def _cost(job: Job, jobs: Sequence[Job]) -> int | None:
    """Return an equal share of the cost of a job's provider job."""
    paid = job.provider_job
    cost = paid.estimated_cost_microusd if paid.charged_microusd is None else paid.charged_microusd
    circuits = sum(other.provider_job is paid for other in jobs)
    return None if cost is None else cost // circuits
