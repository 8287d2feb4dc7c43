"""Records of runs in the public form of Metriq: written, checked and read.

The form is that of `unitaryfoundation/metriq-data`, series 0.8: a list of records, which
`metriq-gym` writes and the repository's scripts aggregate. It publishes no schema of a record, so
the models here hold what its records have. Nothing is uploaded.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from backends import LocalBackend, backend_from_spec
from compiler.errors import InputError
from compiler.targets import target_from_spec
from compiler.targets.device import is_device
from compiler.words.machine_names import machine_of
from workers.attributes import attributes
from workers.bundles.writing import jobs_of
from workers.clock import with_zone
from workers.jobs.states import JobKind
from workers.provenance import versions
from workers.records.devices import recall_device
from workers.records.tables import Job, PublishedRecord
from workers.score.document import ScoreFile
from workers.score.parts import ScoredPart, input_two_qubit_gates
from workers.score.suite import suite_named
from workers.suites import json_mistake

COMPLETED = "completed"
HALF = 2 * 1.96
"""Widths of a 95 % interval in standard deviations of a normal distribution."""

PROVIDERS = {"braket": "aws", "ibm": "ibm"}
MAX_RECORDS = 10_000


class _Part(BaseModel):
    """A part of a record; further fields are kept."""

    model_config = ConfigDict(extra="allow", allow_inf_nan=False)


class Value(_Part):
    """A number, and its standard error if it is known."""

    value: float
    uncertainty: float | None = Field(None, ge=0)


class Platform(_Part):
    """Device that was measured."""

    provider: str = Field(min_length=1)
    device: str = Field(min_length=1)
    device_metadata: dict[str, JsonValue] | None = None


class CircuitMetadata(_Part):
    """Gates on two qubits, a circuit each."""

    input_two_qubit_gate_counts: list[int] | None = None
    transpiled_two_qubit_gate_counts: list[int] | None = None


class MetriqRecord(_Part):
    """One benchmark on one device."""

    app_version: str = Field(min_length=1)
    timestamp: Annotated[datetime, AfterValidator(with_zone)]
    suite_id: str | None
    job_type: str = Field(min_length=1)
    results: dict[str, Annotated[Value | JsonValue, Field(union_mode="left_to_right")]] | None
    runtime_seconds: float | None = Field(None, ge=0)
    platform: Platform
    circuit_metadata: CircuitMetadata | None = None
    params: dict[str, JsonValue]
    outcome: str | None = None
    outcome_detail: dict[str, JsonValue] | None = None
    suite: dict[str, JsonValue] | None = None

    @property
    def score(self) -> Value | None:
        """The one number of the record, None if it has none."""
        result = (self.results or {}).get("score")
        return result if isinstance(result, Value) else None


def metriq_json(records: Iterable[MetriqRecord]) -> bytes:
    """Return records as a file holds them."""
    listed = [record.model_dump(mode="json", exclude_unset=True) for record in records]
    return (json.dumps(listed, indent=2) + "\n").encode()


def read_records(content: bytes, name: str) -> list[MetriqRecord]:
    """Read and check a file of records.

    Args:
        content: of the file.
        name: of the file, for messages.

    Raises:
        InputError: with the fault and the number of the record.
    """
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"records '{name}': not JSON: {error}") from error
    if not isinstance(document, list) or not 0 < len(document) <= MAX_RECORDS:
        raise InputError(f"records '{name}': not a list of 1 to {MAX_RECORDS:,} records")
    records = []
    for place, entry in enumerate(document):
        try:
            records.append(MetriqRecord.model_validate(entry))
        except ValidationError as error:
            raise InputError(f"records '{name}': record {place}: {json_mistake(error)}") from error
    return records


def import_records(session: Session, records: Iterable[MetriqRecord]) -> int:
    """Keep records of others; return how many were new. The caller commits."""
    new = 0
    for record in records:
        content = record.model_dump(mode="json", exclude_unset=True)
        digest = sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        if session.get(PublishedRecord, digest) is None:
            session.add(PublishedRecord(digest=digest, content=content))
            session.flush()
            new += 1
    return new


def imported_records(session: Session) -> list[MetriqRecord]:
    """Return the records that were imported, the newest first."""
    contents = session.scalars(select(PublishedRecord.content))
    records = [MetriqRecord.model_validate(content) for content in contents]
    return sorted(records, key=lambda record: record.timestamp.isoformat(), reverse=True)


def metriq_records(session: Session, numbers: Sequence[int], tag: str) -> list[MetriqRecord]:
    """Return the records of jobs; of a score those of its standard benchmarks and other parts.

    Args:
        session: of the database.
        numbers: of the jobs.
        tag: of the jobs, in place of their numbers.

    Raises:
        InputError: if there are none, too many, or one that is named has no counts.
    """
    meant = Job.tag == tag if tag else Job.id.in_(numbers)
    named = session.scalars(select(Job).where(meant, Job.kind == JobKind.BATCH))
    scores = [
        (job, ScoreFile.model_validate(score))
        for job in named
        for score in (job.result or {}).get("scores", ())
    ]
    parts = [(job, score, part) for job, score in scores for part in score.parts]
    records = [_part_record(session, *part) for part in parts if part[2].benchmark]
    inside = {number for *_, part in parts if part.benchmark for number in part.jobs}
    others = {number for *_, part in parts if not part.benchmark for number in part.jobs}
    parents = {job.id for job, _ in scores}
    if tag:
        jobs = [] if records and not others else jobs_of(session, [], tag)
    else:
        wanted = [*(number for number in numbers if number not in parents), *sorted(others)]
        jobs = jobs_of(session, wanted, "") if wanted or not records else []
    return [*records, *(metriq_record(session, job) for job in jobs if job.id not in inside)]


def _part_record(session: Session, parent: Job, score: ScoreFile, part: ScoredPart) -> MetriqRecord:
    """Return the record of a standard benchmark in a score, also of one that was not run."""
    (declared,) = (
        candidate for candidate in suite_named(score.suite).parts if candidate.name == part.name
    )
    assert declared.standard is not None
    benchmark = declared.standard
    jobs = [session.get_one(Job, number) for number in part.jobs]
    is_completed = part.outcome == COMPLETED
    results: dict[str, Value | JsonValue] = {
        name: Value(value=figure.value, uncertainty=figure.uncertainty)
        for name, figure in part.figures.items()
    }
    counts = CircuitMetadata(
        input_two_qubit_gate_counts=[input_two_qubit_gates(job) or 0 for job in jobs],
        transpiled_two_qubit_gate_counts=[job.compiled.chosen.two_qubit_gates or 0 for job in jobs],
    )
    reported = [seconds for seconds in map(_runtime, jobs) if seconds is not None]
    first = jobs[0] if jobs else None
    return MetriqRecord(
        app_version=f"stichwerk {versions()['stichwerk']}",
        timestamp=datetime.fromisoformat(score.at),
        suite_id=score.run,
        suite={"id": score.run, "name": score.suite},
        job_type=benchmark.title,
        results=results if is_completed else None,
        runtime_seconds=sum(reported) if reported else None,
        platform=_platform(
            score.backend,
            score.target if first is None else first.target,
            is_played=first is not None and first.provider_address is not None,
        ),
        circuit_metadata=counts if jobs else None,
        params={
            "benchmark_name": benchmark.title,
            **benchmark.metriq_parameters(),
            "shots": declared.shots,
            "verified": part.verified,
        },
        outcome=part.outcome.replace(" ", "_"),
        outcome_detail=None if is_completed else {"reason": part.why, "source": "stichwerk"},
    )


def _runtime(job: Job) -> float | None:
    return job.run_seconds if job.usage_seconds is None else job.usage_seconds


def _platform(backend: str, target: str, *, is_played: bool) -> Platform:
    name, _, device = machine_of(backend).partition(":")
    local = isinstance(backend_from_spec(backend), LocalBackend)
    # A provider at an address of its own is played on this machine.
    metadata: dict[str, Any] = {"simulator": local or is_played}
    if target and target.count(":") and (is_device(target) or not local):
        metadata["num_qubits"] = target_from_spec(target).num_qubits
    return Platform(
        provider="local" if local else PROVIDERS.get(name, name),
        device=f"ibm_{device}" if name == "ibm" else device or name,
        device_metadata=metadata,
    )


def metriq_record(session: Session, job: Job) -> MetriqRecord:
    """Return the record of a job with counts; see `workers.bundles.writing.jobs_of`."""
    compiled, raw = job.compiled, job.scored.get("raw")
    recall_device(session, job.target)
    results: dict[str, Any] = {}
    if raw is not None:
        shares = attributes(("hellinger_fidelity", "normalized_fidelity", "legal_fraction"), raw)
        best = raw.normalized_fidelity
        shares["score"] = raw.hellinger_fidelity if best is None else best
        results |= {
            name: Value(value=share, uncertainty=None)
            for name, share in shares.items()
            if share is not None
        }
        for name, average in raw.observables.items():
            if average.measured is not None:
                low, high = average.low, average.high
                off = None if low is None or high is None else (high - low) / HALF
                results[name] = Value(value=average.measured, uncertainty=off)
    inputs, transpiled = input_two_qubit_gates(job), compiled.chosen.two_qubit_gates
    return MetriqRecord(
        app_version=f"stichwerk {versions()['stichwerk']}",
        timestamp=job.asked_at or job.created_at,
        suite_id=job.tag,
        job_type="Stichwerk",
        results=results,
        runtime_seconds=_runtime(job),
        platform=_platform(job.backend, job.target, is_played=job.provider_address is not None),
        circuit_metadata=CircuitMetadata(
            input_two_qubit_gate_counts=None if inputs is None else [inputs],
            transpiled_two_qubit_gate_counts=None if transpiled is None else [transpiled],
        ),
        params={
            "benchmark_name": job.program,
            "encoding": compiled.encoding,
            "method": compiled.method,
            "shots": job.shots,
            "seed": job.seed,
            "circuit_digest": compiled.native_digest,
            "verified": compiled.chosen.verified,
            "executed": job.executed,
        },
        outcome=COMPLETED,
    )
