"""What the API answers, for its description; see `workers.job_lists` for who writes it."""

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
    normalized_fidelity: float | None = Field(description="As measured; null before it is scored")


class JobPage(BaseModel):
    """Jobs, the newest first."""

    jobs: list[JobRow]
    before: int | None = Field(description="Ask with this for the next page; null on the last")


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


class JobDetails(JobRow):
    """All that is known of a job but its result."""

    seed: int
    retry_of: int | None
    submitted_at: str | None
    provider_id: str | None
    provider_address: str | None = Field(
        description="Where it was submitted to, if not to the provider's public address"
    )
    cancel_requested: bool
    max_cost_usd: str | None
    run_seconds: float | None
    different_outcomes: int | None
    scores: dict[str, dict[str, float | None]] = Field(description="raw, post_selected, …")
    compilation: dict[str, Any] | None = Field(description="Its circuit's method and figures")
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
    outcomes: dict[str, int] | None = Field(description="Shots by what the game's rules call them")
    scores: dict[str, dict[str, float | None]] = Field(description="raw, post_selected, …")


class Health(BaseModel):
    """Whether the service can work."""

    status: str = Field(description="ok, or degraded: jobs are taken and wait for the broker")
    database: str
    broker: str


class Changed(BaseModel):
    """A job that has been changed, or the new one in its place."""

    id: int
    state: str
    cancel_requested: bool
    retry_of: int | None
