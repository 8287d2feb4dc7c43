"""Results about jobs: a page of a list, and one job with its stages, times and costs."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Self

from sqlalchemy import Row
from sqlalchemy.orm import Session

from compiler.certainty import how_verified
from service.results.jobs.compilations import CircuitFigures, TriedEncoding
from service.results.jobs.estimates import JobEstimate
from service.results.jobs.runs import Score, scores_of
from service.results.model import ResultModel, Time, Usd
from workers.jobs.states import FINAL, JobKind, State
from workers.records.queries.jobs import compilation_of, events_of, ledger_of, rounds_of
from workers.records.queries.queueing import stages_of
from workers.records.tables import Job, now, usd
from workers.records.tables.compilations import steps_from_zero


class JobRow(ResultModel):
    """Job in a list."""

    id: int
    state: str
    program: str
    target: str
    backend: str
    shots: int
    tag: str | None
    created_at: Time
    finished_at: Time | None
    queue_position: int | None
    """Position in the provider's queue; 1 is next"""
    provider_state: str | None
    estimated_cost_usd: Usd | None
    """Upper bound of the cost; null before the compilation"""
    reserved_cost_usd: Usd | None
    """Amount reserved in budgets; null before submission and after the charge"""
    charged_cost_usd: Usd | None
    """Cost reported by the provider; of a parent job, the sum of its child jobs"""
    error: str | None
    quarantined: str | None
    """Reason for the quarantine, which ends only by a retry"""
    doubtful: bool
    """True if the provider may have accepted the job without confirming it"""
    normalized_fidelity: float | None
    """Normalised fidelity of the raw counts; null before the job is scored"""
    score: float | None
    """Score of a device by a suite (of the first device); null if it is incomplete"""
    rounds_begun: int
    """Number of child jobs so far"""
    rounds_done: int

    @classmethod
    def of(cls, row: Row[Any]) -> Self:
        """Return a row of `workers.records.queries.jobs.jobs_page`."""
        return cls.from_objects(row, **_costs(row, usd(row.charged_microusd)))


def _costs(row: Row[Any] | Job, charged: Decimal | None) -> dict[str, Decimal | None]:
    estimated = usd(row.estimated_cost_microusd)
    is_reserved = row.submitted_at is not None and charged is None
    return {
        "estimated_cost_usd": estimated,
        "reserved_cost_usd": estimated if is_reserved else None,
        "charged_cost_usd": charged,
    }


class JobList(ResultModel, commands="jobs"):
    """Jobs, newest first."""

    jobs: Sequence[JobRow]


class JobPage(JobList):
    """Page of a list of jobs, newest first."""

    before: int | None
    """`before` of the next page; null on the last one. A search by `program` or `text` reads a
    limited number of jobs at a time: a page may be empty although more pages follow"""


class CalibrationError(ResultModel):
    """Error of an operation of the circuit."""

    what: str
    """Name of the gate, or of the measurement"""
    on: Sequence[int]
    """Physical qubits"""
    error: float
    uses: int
    """Number of uses in the circuit"""


class Calibration(ResultModel):
    """Calibration of the device at the time of the run; see `calibrated_at` for the compiler's."""

    at: Time
    """Time when the provider measured this calibration"""
    errors: Sequence[CalibrationError]


class JobCompilation(CircuitFigures):
    """Method and figures of a job's circuit."""

    id: int
    method: str
    encoding: str
    encodings: Sequence[TriedEncoding]
    objective: str
    synthesis: str
    pipeline: str
    pipeline_seed: int
    verified: str
    """Level of proof: exact, sampled or unverified"""
    from_zero: bool
    compile_seconds: float | None
    compiled_at: Time
    calibration_digest: str | None
    """Digest of the target's calibration; null without calibration"""
    calibrated_at: Time | None
    """Time when the target's calibration was measured"""
    calibration_age_hours: float | None
    """Age of that calibration at submission to the provider, or now"""
    revision: str | None
    versions: Mapping[str, str]


class Round(ResultModel):
    """Child job."""

    id: int
    state: str
    program: str
    backend: str
    shots: int
    normalized_fidelity: float | None
    """Normalised fidelity of the raw counts"""
    leader_id: int | None
    """Job that submits the circuits of the group, and has the costs of all"""
    estimated_cost_usd: Usd | None
    charged_cost_usd: Usd | None


class Rounds(ResultModel):
    """Child jobs, and their totals as far as known."""

    jobs: Sequence[Round]
    shots: int
    """Shots of the jobs that are done"""
    estimated_cost_usd: Usd | None
    charged_cost_usd: Usd | None
    usage_seconds: float
    run_seconds: float

    @classmethod
    def of(cls, rows: Sequence[Row[Any]]) -> Self:
        """Return rows of `workers.records.queries.jobs.rounds_of` with their sums."""
        estimated = [row.estimated_cost_microusd for row in rows if row.estimated_cost_microusd]
        charged = [row.charged_microusd for row in rows if row.charged_microusd is not None]
        return cls(
            jobs=[
                Round.from_objects(
                    row,
                    estimated_cost_usd=usd(row.estimated_cost_microusd),
                    charged_cost_usd=usd(row.charged_microusd),
                )
                for row in rows
            ],
            shots=sum(row.shots for row in rows if row.state == State.DONE),
            estimated_cost_usd=usd(sum(estimated) if estimated else None),
            charged_cost_usd=usd(sum(charged) if charged else None),
            usage_seconds=sum(row.usage_seconds or 0.0 for row in rows),
            run_seconds=sum(row.run_seconds or 0.0 for row in rows),
        )


class LedgerRow(ResultModel):
    """Change of the amount reserved in a budget for a job."""

    at: Time
    budget: str
    kind: str
    """reserved, released or charged"""
    usd: Usd


class Stage(ResultModel):
    """State in which a job was or is."""

    state: str
    since: Time
    seconds: float | None
    """Duration; for the current stage until now, for the final one null"""


class EventRow(ResultModel):
    """Change of a job's state, or another event."""

    at: Time
    state: str
    detail: str


class JobDetails(JobRow, commands="job"):
    """Job with its stages, times and costs, without its counts."""

    seed: int
    run_options: Mapping[str, Any]
    """Run options that differ from the default"""
    retry_of: int | None
    parent_id: int | None
    """The parent job"""
    submitted_at: Time | None
    provider_id: str | None
    provider_address: str | None
    """Address of submission, if it is not the provider's public address"""
    cancel_requested: bool
    asks: int
    """Number of times that the job was sent to its backend"""
    asked_at: Time | None
    """Time when the job was last sent to its backend"""
    refusal: str | None
    """The provider's reason for a refusal, while an earlier submission is in doubt"""
    max_cost_usd: Usd | None
    charged_beyond_estimate_usd: Usd | None
    """Charge minus estimate; negative if the job cost less"""
    usage_seconds: float | None
    """Time on the provider's device, in seconds"""
    run_seconds: float | None
    progress: str | None
    """Progress of the compilation; null before and afterwards"""
    calibration: Calibration | None
    executed: str | None
    """Comparison of the program that the provider ran with the submitted one: identical, identical
    up to names, proven equivalent, different or unverified; null if the provider does not report
    its program"""
    executed_detail: str | None
    different_outcomes: int | None
    scores: Mapping[str, Score]
    """Scores by kind: raw, post_selected, …"""
    compilation: JobCompilation | None
    """null before a circuit is chosen"""
    estimate: JobEstimate | None
    """Result of an estimate"""
    trained: Mapping[str, Any] | None
    """Result of a training"""
    batched: Mapping[str, Any] | None
    """Result of a score, a campaign or a mitigated run"""
    rounds: Rounds | None
    """Child jobs"""
    ledger: Sequence[LedgerRow]
    stages: Sequence[Stage]
    events: Sequence[EventRow]

    @classmethod
    def of_job(cls, session: Session, job: Job) -> Self:
        """Return a recorded job.

        `stages` are the past and present states, with the seconds in each, the present one up to
        now; `events` are these and all others.
        """
        scores, events = scores_of(job), events_of(session, job.id)
        rounds = Rounds.of(rounds_of(session, job.id))
        charged, estimated = job.charged_microusd, job.estimated_cost_microusd
        beyond = None if charged is None or estimated is None else charged - estimated
        return cls.from_objects(
            job,
            normalized_fidelity=scores["raw"].normalized_fidelity if "raw" in scores else None,
            rounds_begun=len(rounds.jobs),
            rounds_done=sum(child.state == State.DONE for child in rounds.jobs),
            max_cost_usd=usd(job.max_cost_microusd),
            score=job.device_score,
            **_costs(job, rounds.charged_cost_usd if charged is None else usd(charged)),
            charged_beyond_estimate_usd=usd(beyond),
            run_options=job.run_options.as_json() or {},
            different_outcomes=None if job.counts is None else len(job.counts),
            scores=scores,
            compilation=_compilation(session, job),
            estimate=job.result_of(JobKind.ESTIMATION),
            trained=job.result_of(JobKind.TRAINING),
            batched=job.result_of(JobKind.BATCH),
            rounds=rounds if job.is_parent or rounds.jobs else None,
            ledger=[
                LedgerRow.from_objects(entry, usd=usd(entry.microusd))
                for entry in ledger_of(session, job.id)
            ],
            stages=[
                Stage(
                    state=state, since=since, seconds=None if state in FINAL else round(seconds, 3)
                )
                for state, since, seconds in stages_of(
                    ((event.at, event.state) for event in events), now()
                )
            ],
            events=[EventRow.from_objects(event) for event in events],
        )


def _compilation(session: Session, job: Job) -> JobCompilation | None:
    row = compilation_of(session, job.compilation_id)
    if row is None:
        return None
    return JobCompilation.from_objects(
        row,
        calibration_age_hours=job.calibration_age_hours(row.calibrated_at),
        verified=how_verified(row.program_verified, row.verified),
        from_zero=steps_from_zero(row.steps),
    )
