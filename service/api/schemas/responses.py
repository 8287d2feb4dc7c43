"""What the API answers, for its description; see `service.answers.jobs` for who writes it."""

from typing import Any

from pydantic import BaseModel, Field


class Problem(BaseModel):
    """Why a request was refused."""

    detail: str = Field(description="One line for people")


class SubmittedJob(BaseModel):
    """A job that has been recorded."""

    id: int
    job: str = Field(description="Where it is shown")
    result: str = Field(description="Where its result will be")


class Submitted(BaseModel):
    """The jobs that a request stands for."""

    jobs: list[SubmittedJob]
    least_cost_usd: str = Field(
        description="What they cost together at least, an exact decimal; 0 for our own simulators"
    )


class JobRow(BaseModel):
    """A job in a list."""

    id: int
    state: str
    program: str
    target: str
    backend: str
    shots: int
    tag: str | None
    created_at: str | None
    finished_at: str | None
    queue_position: int | None = Field(description="Its place at the provider, 1 if it is next")
    provider_state: str | None
    estimated_cost_usd: str | None
    error: str | None
    quarantined: str | None = Field(description="Why a person must look at it before it goes on")
    doubtful: bool = Field(description="Its provider may have it, and nobody knows yet")
    normalized_fidelity: float | None = Field(description="As measured; null before it is scored")
    rounds_begun: int = Field(description="Jobs that are run under it, such as parts of a score")
    rounds_done: int


class JobPage(BaseModel):
    """Jobs, the newest first."""

    jobs: list[JobRow]
    before: int | None = Field(
        description="Ask with this for the next page; null on the last. A search by `program` or "
        "`text` looks through so many jobs at a time that a page may be empty, and more follow"
    )


class ObservableAnswer(BaseModel):
    """One observable of a score."""

    kind: str = Field(description="event: a probability; number: a mean over the legal shots")
    measured: float | None
    low: float | None = Field(description="Lower end of the 95 % interval")
    high: float | None
    exact: float | None = Field(description="null where the distribution is too large")


class ScoreAnswer(BaseModel):
    """One score of a job's counts."""

    shots: int
    hellinger_fidelity: float | None
    normalized_fidelity: float | None
    tvd: float | None
    legal_fraction: float
    observables: dict[str, ObservableAnswer] = Field(description="By name, such as win and points")


class Stage(BaseModel):
    """A state that a job has been in."""

    state: str
    since: str
    seconds: float | None


class EventRow(BaseModel):
    """Something that happened to a job."""

    at: str
    state: str
    detail: str


class Entry(BaseModel):
    """A change of what is reserved of a budget for a job."""

    at: str
    budget: str
    kind: str = Field(description="reserved, released or charged")
    usd: str


class JobDetails(JobRow):
    """All that is known of a job but its result."""

    seed: int
    retry_of: int | None
    parent_id: int | None = Field(description="The job of which it is a round")
    submitted_at: str | None
    provider_id: str | None
    provider_address: str | None = Field(
        description="Where it was submitted to, if not to the provider's public address"
    )
    cancel_requested: bool
    asks: int = Field(description="How often its provider was asked to take it")
    asked_at: str | None = Field(description="When it was last asked")
    refusal: str | None = Field(
        description="Why the provider has refused it, while an earlier question is in doubt"
    )
    max_cost_usd: str | None
    charged_cost_usd: str | None = Field(description="What the provider says that it cost")
    charged_beyond_estimate_usd: str | None
    usage_seconds: float | None = Field(description="How long the provider's machine was taken")
    run_seconds: float | None
    calibration: dict[str, Any] | None = Field(
        description="Errors that the provider told of what its circuit does, when it was done"
    )
    different_outcomes: int | None
    scores: dict[str, ScoreAnswer] = Field(description="raw, post_selected, …")
    compilation: dict[str, Any] | None = Field(description="Its circuit's method and figures")
    estimate: dict[str, Any] | None = Field(description="What an estimate has found")
    trained: dict[str, Any] | None = Field(description="What a training has learned")
    batched: dict[str, Any] | None = Field(description="What came of a batch's jobs, together")
    rounds: dict[str, Any] | None = Field(
        description="The rounds of an estimate, a training or a batch, which are jobs, together"
    )
    ledger: list[Entry] = Field(description="What was reserved for it, given back, or charged")
    stages: list[Stage]
    events: list[EventRow]


class Result(BaseModel):
    """What a job brought back."""

    id: int
    program: str
    target: str
    backend: str
    shots: int
    counts: dict[str, int] = Field(description="Shots by bitstring, classical bit 0 on the right")
    registers: dict[str, list[int]] = Field(
        description="The numbers of each classical register's bits, its own bit 0 first"
    )
    outcomes: dict[str, int] | None = Field(description="Shots by what the game's rules call them")
    scores: dict[str, ScoreAnswer] = Field(description="raw, post_selected, …")
    unscored: str | None = Field(description="Why a circuit's counts have no scores")


class Alive(BaseModel):
    """A process that answers."""

    status: str


class Health(BaseModel):
    """Whether the service can work."""

    status: str = Field(description="ok; degraded: jobs are taken and wait for the broker; away")
    database: str = Field(description="ok, away, cannot be written, or disk full")
    broker: str = Field(description="ok, away, or takes no messages")


class StatusAnswer(BaseModel):
    """What the service is like."""

    ok: bool = Field(description="Whether nothing is wrong")
    at: str | None = Field(description="By the database's clock")
    problems: list[str] = Field(description="What is wrong and what to do, worst first")
    notes: list[str] = Field(description="What is worth knowing, though it is not wrong")
    database: dict[str, Any]
    broker: dict[str, Any]
    queues: list[dict[str, Any]] = Field(description="Jobs, messages, and processes that listen")
    workers: list[dict[str, Any]] = Field(description="Workers, sweepers and APIs, by heartbeats")
    providers: list[dict[str, Any]] = Field(description="How they answer the workers")
    budgets: list[dict[str, Any]]
    stuck: dict[str, dict[str, Any]] = Field(description="Jobs that do not go on, by reason")
    versions: dict[str, list[str]] = Field(description="Who runs each version")


class BudgetRow(BaseModel):
    """A budget, and what is left of it."""

    name: str = Field(description="day 2026-01-31 or tag night, and whose")
    limit_usd: str | None = Field(description="null if there is no limit")
    reserved_usd: str = Field(description="What jobs cost, or are expected to cost")
    left_usd: str | None


class Holder(BaseModel):
    """What a token is for."""

    name: str
    scopes: list[str]
    expires_at: str | None
    budgets: list[BudgetRow] = Field(
        description="Of today, and the tags of which most is reserved: the token's own, or all"
    )


class Changed(BaseModel):
    """A job that has been changed, or the new one in its place."""

    id: int
    state: str
    cancel_requested: bool
    retry_of: int | None


class Refused(BaseModel):
    """A job that was not changed."""

    id: int
    detail: str


class ManyChanged(BaseModel):
    """What has become of many jobs."""

    jobs: list[Changed]
    refused: list[Refused]
    left: int = Field(description="How many more there are: ask again")
