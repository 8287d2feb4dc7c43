"""Tables of jobs and of their orders."""

from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from sqlalchemy import (
    JSON,
    BigInteger,
    Dialect,
    FetchedValue,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from compiler.words.run_options import RunOptions
from workers.attributes import build
from workers.jobs.states import PROVIDER_STATES, JobKind
from workers.records.tables.base import Record, now, only, usd
from workers.records.tables.compilations import Compilation, Compressed

if TYPE_CHECKING:
    from compiler.scores.scoring import Score


class ScoreRow(Record):
    """One score of a job; see `compiler.scores.scoring.Score`."""

    __tablename__ = "scores"
    __table_args__ = (UniqueConstraint("job_id", "kind"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    job_id: Mapped[int] = mapped_column(ForeignKey("jobs.id"), index=True)
    kind: Mapped[str] = mapped_column(String(40))
    """`raw` or `post_selected`; with readout errors undone, `mitigated` or
    `mitigated_post_selected`."""
    shots: Mapped[int]
    hellinger_fidelity: Mapped[float | None]
    normalized_fidelity: Mapped[float | None]
    tvd: Mapped[float | None]
    legal_fraction: Mapped[float]

    observables: Mapped[list["ObservableRow"]] = relationship(
        order_by="ObservableRow.place", lazy="selectin", cascade="all, delete-orphan"
    )

    @property
    def score(self) -> "Score":
        """The score, without its job and kind."""
        from compiler.judge import Kind
        from compiler.scores.scoring import Estimate, Score

        observables = {
            row.name: build(Estimate, row, kind=Kind(row.kind)) for row in self.observables
        }
        return build(Score, self, observables=observables)


class ObservableRow(Record):
    """One observable of a score; see `compiler.scores.scoring.Estimate`."""

    __tablename__ = "observables"
    __table_args__ = (UniqueConstraint("score_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    score_id: Mapped[int] = mapped_column(ForeignKey("scores.id"))
    place: Mapped[int]
    """Its place among the observables of its program, 0 the most important."""
    name: Mapped[str] = mapped_column(String(40))
    kind: Mapped[str] = mapped_column(String(20))
    """See `compiler.judge.Kind`."""
    measured: Mapped[float | None]
    low: Mapped[float | None]
    high: Mapped[float | None]
    exact: Mapped[float | None]
    bound: Mapped[float | None]
    sigmas: Mapped[float | None]


class Order(Record):
    """A request to compile, identified by its contents: the same order is carried out once."""

    __tablename__ = "orders"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 of everything below and of the versions that compile it, in hexadecimal."""
    created_at: Mapped[datetime] = mapped_column(default=now)
    program: Mapped[str] = mapped_column(String(200))
    source: Mapped[bytes] = mapped_column(LargeBinary)
    expected: Mapped[bytes | None] = mapped_column(LargeBinary)
    """Expected result of a circuit by its user; see `compiler.expectation`."""
    target: Mapped[str] = mapped_column(String(80))
    options: Mapped[dict[str, Any]]
    """The other fields of `workers.compilation.orders.CompileOrder`, by name."""
    error: Mapped[str | None]
    """Why it cannot be compiled."""
    deaths: Mapped[int] = mapped_column(default=0)
    """Number of workers that have died over it."""
    quarantined_at: Mapped[datetime | None]
    """Time at which it was set aside, because workers die of it; a user lets it go on."""
    lease_owner: Mapped[str | None] = mapped_column(String(80))
    lease_until: Mapped[datetime | None]

    jobs: Mapped[list["Job"]] = relationship(back_populates="order")


class RunOptionsColumn(TypeDecorator[RunOptions]):
    """Run options as JSON; NULL for the default ones."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def process_bind_param(
        self, value: RunOptions | None, dialect: Dialect
    ) -> dict[str, Any] | None:
        """Return the options as JSON."""
        return None if value is None else value.as_json()

    def process_result_value(self, value: dict[str, Any] | None, dialect: Dialect) -> RunOptions:
        """Return the options."""
        return RunOptions.from_json(value)


class RunColumns:
    """Columns of the program and its options: a retry has the same, and so has another run."""

    order_digest: Mapped[str | None] = mapped_column(ForeignKey("orders.digest"), index=True)
    """None if it was compiled before it became a job."""
    compilation_id: Mapped[int | None] = mapped_column(ForeignKey("compilations.id"), index=True)
    program: Mapped[str] = mapped_column(String(200))
    target: Mapped[str] = mapped_column(String(80))
    backend: Mapped[str] = mapped_column(String(80))
    shots: Mapped[int]
    seed: Mapped[int]
    tag: Mapped[str | None] = mapped_column(String(80))
    token_id: Mapped[int | None] = mapped_column(ForeignKey("tokens.id"))
    """The token that submitted it over HTTP."""
    max_cost_microusd: Mapped[int | None] = mapped_column(BigInteger)
    max_calibration_hours: Mapped[float | None]
    """Age of the calibration beyond which its circuit is recompiled before it is submitted."""
    run_options: Mapped[RunOptions] = mapped_column(
        RunOptionsColumn, nullable=True, default=RunOptions
    )


RUN_COLUMNS = tuple(RunColumns.__annotations__)


class Job(Record, RunColumns):
    """One run of a program on a backend; this row, not a message, says where it is."""

    __tablename__ = "jobs"
    __table_args__ = (
        UniqueConstraint("key"),
        UniqueConstraint("idempotency_key"),
        UniqueConstraint("provider_id"),
        Index("ix_jobs_backend_id", "backend", "id"),
        Index("ix_jobs_state_id", "state", "id"),
        Index("ix_jobs_state_backend_compilation_id", "state", "backend", "compilation_id", "id"),
        Index("ix_jobs_tag_id", "tag", "id"),
        Index("ix_jobs_lease_until", "lease_until", **only("lease_until IS NOT NULL")),
        Index(
            "ix_jobs_waiting",
            "state",
            "backend",
            "due_at",
            "lease_until",
            "state_since",
            **only("due_at IS NOT NULL"),
        ),
        Index("ix_jobs_quarantined", "id", "state_since", **only("quarantined IS NOT NULL")),
        Index("ix_jobs_doubtful", "state", "id", **only("doubtful", "doubtful = 1")),
        Index("ix_jobs_charge_due_at", "charge_due_at", **only("charge_due_at IS NOT NULL")),
        Index("ix_jobs_results", "kind", "id", **only("result IS NOT NULL")),
        Index("ix_jobs_token_id_id", "token_id", "id"),
        Index("ix_jobs_token_id_state", "token_id", "state"),
        Index("ix_jobs_token_id_state_due_at", "token_id", "state", "due_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(64), default=lambda: uuid4().hex)
    """Idempotency key at the provider; it runs there at most once. Random, or as
    `workers.jobs.control` says."""
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    """Name that the client has chosen; the same key is the same job."""
    retry_of: Mapped[int | None] = mapped_column(ForeignKey("jobs.id"))
    parent_id: Mapped[int | None] = mapped_column(ForeignKey("jobs.id"), index=True)
    """The job of which it is a child; its cost counts against that one's limit, too."""
    leader_id: Mapped[int | None] = mapped_column(ForeignKey("jobs.id"), index=True)
    """The job that submits its circuit, in one provider job with its own: itself if it does so
    alone or for others; None while that is open. See `workers.stages.at_provider.groups`."""
    kind: Mapped[JobKind] = mapped_column(String(20), default=JobKind.CIRCUIT)
    request: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """Request of a parent job, by its kind: `workers.estimation.request.Estimation`,
    `workers.batches.batch.Batch`, or `games.trick_taking.training.result.train_on_request`."""
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """Result of a parent job; None while it has none."""
    state: Mapped[str] = mapped_column(String(20), default="queued")
    state_since: Mapped[datetime] = mapped_column(default=now, server_onupdate=FetchedValue())
    """Time at which it entered its state."""
    created_at: Mapped[datetime] = mapped_column(default=now, index=True)
    submitted_at: Mapped[datetime | None]
    """Time at which its cost was reserved, before its provider was first called."""
    asked_at: Mapped[datetime | None]
    """Time of the last submission to the provider: from then on it may have the job."""
    asks: Mapped[int] = mapped_column(default=0)
    """Number of submissions to the provider."""
    doubtful: Mapped[bool] = mapped_column(default=False)
    """True if it was asked without a clear answer, so that the provider may have it for ever."""
    doubt_clocks: Mapped[dict[str, Any] | None]
    """Since when it is looked for at the provider, by every clock that has seen it in doubt."""
    refusal: Mapped[str | None]
    """Reason of a refusal by the provider while an earlier submission is in doubt."""
    fence: Mapped[str | None] = mapped_column(String(200))
    """Session at the provider; once that is closed, submissions under it are refused."""
    finished_at: Mapped[datetime | None] = mapped_column(server_onupdate=FetchedValue())
    due_at: Mapped[datetime | None] = mapped_column(server_onupdate=FetchedValue())
    """Time of its next step, unless a worker has it; None if it waits for no worker."""
    lease_owner: Mapped[str | None] = mapped_column(String(80))
    lease_until: Mapped[datetime | None]
    version: Mapped[int] = mapped_column(default=1)
    """Number of changes: a write to a row that has changed since it was read is refused."""
    failures: Mapped[int] = mapped_column(default=0)
    """Failures in a row in this stage that were retried."""
    provider_id: Mapped[str | None] = mapped_column(String(200))
    provider_address: Mapped[str | None] = mapped_column(String(200))
    """Address of its provider, if it is not the public one: of a simulator, say."""
    provider_account: Mapped[str | None] = mapped_column(String(200))
    """The account that it was submitted to, with instance or region: `ProviderBackend.account`."""
    provider_state: Mapped[str | None] = mapped_column(String(20))
    queue_position: Mapped[int | None]
    cancel_requested: Mapped[bool] = mapped_column(default=False)
    estimated_cost_microusd: Mapped[int | None] = mapped_column(BigInteger)
    """Millionths of US dollars, known once it is compiled; reserved in the budgets."""
    charged_microusd: Mapped[int | None] = mapped_column(BigInteger)
    """Charge reported by the provider; None while there is none."""
    charge_due_at: Mapped[datetime | None]
    """Time of the next question for the charge; None if there is nothing to ask."""
    usage_seconds: Mapped[float | None]
    """Seconds of the machine, as reported by the provider."""
    run_seconds: Mapped[float | None]
    progress: Mapped[str | None]
    """Progress of its compilation; None before and afterwards."""
    raw_result: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    """The provider's result, unread."""
    counts: Mapped[dict[str, Any] | None]
    """Shots by measured classical bits; the keys are integers in decimal, bit 0 the lowest."""
    calibration: Mapped[dict[str, Any] | None] = mapped_column(
        JSON(none_as_null=True), deferred=True
    )
    """Errors of the device at the run, by its provider: `backends.Calibration`."""
    executed: Mapped[str | None] = mapped_column(String(40))
    """Comparison of the program that its provider ran with the one that was sent:
    `workers.stages.scoring.Executed`; None if it is unknown."""
    executed_detail: Mapped[str | None]
    executed_program: Mapped[bytes | None] = mapped_column(Compressed, deferred=True)
    """The program that its provider compiled and ran, as the provider told it."""
    error: Mapped[str | None]
    quarantined: Mapped[str | None]
    """Reason for the quarantine, which only a user can end."""

    order: Mapped[Order | None] = relationship(back_populates="jobs")
    compilation: Mapped[Compilation | None] = relationship()
    leader: Mapped["Job | None"] = relationship(
        remote_side=[id], foreign_keys=[leader_id], viewonly=True
    )
    scores: Mapped[list["ScoreRow"]] = relationship(
        order_by="ScoreRow.id", cascade="all, delete-orphan"
    )
    events: Mapped[list["Event"]] = relationship(back_populates="job", order_by="Event.id")

    # Times that the database fills in come back with the very statement that sets them.
    __mapper_args__ = {"version_id_col": version, "eager_defaults": True}  # noqa: RUF012

    @property
    def compiled(self) -> Compilation:
        """Its compilation, once there is one."""
        if self.compilation is None:
            raise LookupError(f"job {self.id} is not compiled yet")
        return self.compilation

    def another(self, **changes: Any) -> "Job":
        """Return a new job of the same run, with some columns changed."""
        return Job(**{name: getattr(self, name) for name in RUN_COLUMNS} | changes)

    def calibration_age_hours(self, at: datetime | None) -> float | None:
        """Return the age of a calibration when the job was submitted, or has ended, or now.

        Args:
            at: Time of the calibration, None if it is unknown.
        """
        if at is None:
            return None
        age = (self.submitted_at or self.finished_at or now()) - at
        return round(age.total_seconds() / 3600, 2)

    @property
    def provider_job(self) -> "Job":
        """The job that has the provider's id, result, executed program and charge: often itself."""
        return self.leader if self.leader and self.follows else self

    @property
    def follows(self) -> bool:
        """True if another job submits its circuit."""
        return self.leader_id not in (None, self.id)

    @property
    def is_parent(self) -> bool:
        """Return whether its child jobs are run instead of a circuit of its own."""
        return self.kind != JobKind.CIRCUIT

    @property
    def scored(self) -> "dict[str, Score]":
        """Its scores by kind, such as `raw`; none before it is scored."""
        return {row.kind: row.score for row in self.scores}

    def result_of(self, kind: JobKind) -> dict[str, Any] | None:
        """Return its result if it is of a kind."""
        return self.result if self.kind == kind else None

    @property
    def device_score(self) -> float | None:
        """Complete score of the first device that it has measured with a suite."""
        scores = (self.result_of(JobKind.BATCH) or {}).get("scores")
        return scores[0]["score"] if scores and scores[0]["complete"] else None

    @property
    def may_be_there(self) -> bool:
        """Return whether its provider may have it and has not ended it, as far as is known."""
        return self.asked_at is not None and self.state in PROVIDER_STATES

    @property
    def estimated_cost_usd(self) -> Decimal | None:
        """Its expected cost before it was submitted."""
        return usd(self.estimated_cost_microusd)


class Event(Record):
    """One change of a job's state, or one thing worth knowing that happened to it."""

    __tablename__ = "events"

    id: Mapped[int] = mapped_column(primary_key=True)
    job_id: Mapped[int] = mapped_column(ForeignKey("jobs.id"), index=True)
    at: Mapped[datetime] = mapped_column(default=now)
    state: Mapped[str] = mapped_column(String(20))
    detail: Mapped[str] = mapped_column(default="")

    job: Mapped[Job] = relationship(back_populates="events")
