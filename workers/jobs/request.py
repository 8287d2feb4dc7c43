"""Requests for jobs, one by one or in suite files, and the idempotency keys that repeat them."""

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any, Self

from attrs import evolve, fields, frozen
from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from backends import target_on
from backends.devices import reading
from compiler.compilation import Options
from compiler.errors import InputError, TargetError
from compiler.words.run_options import PLAIN, RunOptions
from games import DEFAULT_ENCODING
from games.sources import Source
from workers.compilation.orders import CompileOrder, order_from_json
from workers.jobs.states import JobKind
from workers.records.tables import Job
from workers.settings import dollars
from workers.suites import Names, Shared, cases_from_toml

MAX_SHOTS = 1_000_000


class ConflictError(InputError):
    """An idempotency key stands for another job already."""


@frozen
class Submission:
    """Request for jobs of one circuit, or for a parent job.

    Args:
        order: the circuit and how it is compiled; an empty target stands for the backend's.
        backend: spec of the backend.
        shots: of each job.
        seed: of the first job's shots; each further one takes the next. Machines ignore it.
        repeat: number of jobs.
        tag: name of a group of jobs.
        max_cost_usd: limit of each job's cost.
        idempotency_key: the same key stands for the same jobs, however often it is sent.
        token_id: token of the request over HTTP.
        parent_id: the parent job.
        kind: of the job; the other kinds than a circuit are parent jobs.
        request: of a parent job; see `workers.records.tables.Job.request`.
        run_options: further options of the backend.
        provider_key: key of a single job at its provider; random if None.
        live: whether the target has the calibration of the time of the request; recorded jobs of
            the same key may have an earlier one.
        max_calibration_hours: age of the calibration beyond which the circuit is recompiled before
            it is submitted; None for never.
    """

    order: CompileOrder
    backend: str
    shots: int
    seed: int = 0
    repeat: int = 1
    tag: str | None = None
    max_cost_usd: Decimal | None = None
    idempotency_key: str | None = None
    token_id: int | None = None
    parent_id: int | None = None
    kind: JobKind = JobKind.CIRCUIT
    request: Mapping[str, Any] | None = None
    run_options: RunOptions = PLAIN
    provider_key: str | None = None
    live: bool = False
    max_calibration_hours: float | None = None

    def columns(self, place: int) -> dict[str, Any]:
        """Return the columns of the job at a place."""
        return {name: getattr(self, name) for name in COLUMNS} | {"seed": self.seed + place}

    def as_json(self) -> dict[str, Any]:
        """Return the fields that the parent job does not decide."""
        order = self.order
        return {
            **{name: getattr(self, name) for name in CHILD_FIELDS},
            "run_options": self.run_options.as_json(),
            "program": order.source.name,
            "content": b64encode(order.source.content).decode(),
            "expected": b64encode(order.source.expected).decode(),
            "target": order.target,
            "options": order.as_json(),
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """Return the submission that `as_json` has written, perhaps before a field was added."""
        content, expected = (b64decode(document[name]) for name in ("content", "expected"))
        source = Source(document["program"], content, expected)
        return cls(
            order_from_json(source, document["target"], document["options"]),
            **{name: document[name] for name in CHILD_FIELDS if name in document},
            run_options=RunOptions.from_json(document["run_options"]),
        )


FIELDS = tuple(field.name for field in fields(Submission))

OF_PARENT = (
    "repeat", "max_cost_usd", "token_id", "parent_id", "kind", "request", "provider_key",
)  # fmt: skip
"""Fields of a child job that its parent job decides."""

CHILD_FIELDS = tuple(
    name for name in FIELDS if name not in ("order", "run_options", "live", *OF_PARENT)
)
"""Fields of a child job that JSON holds as they are."""

COLUMNS = tuple(name for name in FIELDS if name in Job.__table__.columns)
"""Fields that are columns of a job by the same name."""

COMPARED = tuple(
    name for name in COLUMNS if name not in ("idempotency_key", "token_id", "parent_id")
)
"""Columns that are equal in all jobs of the same idempotency key."""


def numbered_key(submission: Submission, place: int) -> str | None:
    """Return the key of the job at a place among those asked for together."""
    key = submission.idempotency_key
    return None if key is None else recorded_key(key, submission.token_id, place)


def recorded_key(key: str, token_id: int | None, place: int = 0) -> str:
    """Return a key as a job's row has it: every token has keys of its own.

    Args:
        key: as the client has chosen it.
        token_id: whose job it is; None for the command line.
        place: among the jobs of one request.
    """
    return f"{'' if token_id is None else token_id}:{key}:{place}"


def jobs_of_key(session: Session, submission: Submission, limit: int | None) -> list[Job]:
    """Return the jobs of a key, none if it is new.

    Args:
        session: of the database that holds the jobs.
        submission: the request.
        limit: of the cost of each job, in millionths of US dollars. It belongs to a key that a
            client has chosen, but not to the keys of suites.

    Raises:
        ConflictError: if they differ from the request.
    """
    if submission.idempotency_key is None:
        return []
    keys = [numbered_key(submission, place) for place in range(submission.repeat + 1)]
    jobs = session.scalars(select(Job).where(Job.idempotency_key.in_(keys)).order_by(Job.id)).all()
    is_any_target = submission.live or submission.max_calibration_hours is not None
    job_values = [_job_values(job, is_any_target=is_any_target) for job in jobs]
    changed = job_values != _requested_values(submission, is_any_target=is_any_target) or (
        submission.token_id is not None and {job.max_cost_microusd for job in jobs} != {limit}
    )
    if jobs and changed:
        raise ConflictError(
            f"idempotency key '{submission.idempotency_key}' belongs to another request, "
            f"of job {jobs[0].id}: choose another key"
        )
    return list(jobs)


def _job_values(job: Job, *, is_any_target: bool) -> tuple[object, ...]:
    """Return the request of a job, for comparison with another request.

    Versions are left out, and so is the target where it follows the calibration: they may change
    between two submissions of the same request.
    """
    order = job.order
    compiled = order and (
        order.program, order.source, order.expected or b"", is_any_target or order.target,
        order.options,
    )  # fmt: skip
    return compiled, *(getattr(job, name) for name in COMPARED)


def _requested_values(submission: Submission, *, is_any_target: bool) -> list[tuple[object, ...]]:
    order = submission.order
    source, target = order.source, is_any_target or order.target
    compiled = (source.name, source.content, source.expected, target, order.as_json())
    each = (submission.columns(place) for place in range(submission.repeat))
    return [(compiled, *(columns[name] for name in COMPARED)) for columns in each]


def check_shots(shots: int) -> None:
    """Refuse a number of shots.

    Raises:
        InputError: if it is not from 1 to `MAX_SHOTS`.
    """
    if not 1 <= shots <= MAX_SHOTS:
        raise InputError(f"shots = {shots}: must be from 1 to {MAX_SHOTS}")


MAX_JOBS = 10_000
"""Limit of the jobs of one file, with repetitions."""


class Common(Shared):
    """Options that all jobs of a suite share, and each case may set for itself."""

    targets: Names | None = None
    shots: int = 1000
    repeat: int = 1
    method: str = "best"
    encoding: str = DEFAULT_ENCODING
    max_cost: str | None = None
    calibration: str | None = None
    """For which its circuits are compiled: `snapshot`, the default, `live`, or a device's file."""
    recompile_after: float | None = Field(None, ge=0, allow_inf_nan=False, strict=False)
    """Hours; see `Submission.max_calibration_hours`."""
    expect: str | None = None
    """A file beside the suite: the expected results of its circuits."""


class Case(Common):
    """Programs that are run on backends in every combination."""

    programs: Names
    backends: Names


class SuiteFile(Common):
    """The file: one combination by itself, or several cases."""

    suite: str = Field(min_length=1, max_length=80)
    programs: list[str] = Field([])
    backends: list[str] = Field([])
    case: list[Case] = Field([])


def suite_from_toml(
    text: str,
    name: str,
    read: Callable[[str, str], Source],
    tag: str | None = None,
    folder: Path = Path(),
    *,
    calibration: str = "",
    recompile_after: float | None = None,
) -> list[Submission]:
    """Return the jobs of a suite, each with a key of its own under the suite's tag.

    The key is a digest of the job, so that the same file under the same tag stands for the same
    jobs.

    Args:
        text: of the file.
        name: of the file, for messages.
        read: returns the program of a name in the file, with the expected result of the file
            that its second argument names; `""` for none.
        tag: of its jobs, if not the suite's name.
        folder: where the files of devices are looked for.
        calibration: of cases that name none.
        recompile_after: hours, of cases that name none.

    Raises:
        InputError: with the fault.
    """
    file, cases = cases_from_toml(text, name, SuiteFile, Case)
    batch = tag or file.suite
    together = sum(len(c.programs) * len(c.backends) * len(c.targets or [""]) for c in cases)
    if together > MAX_JOBS:
        raise InputError(f"{name}: stands for {together:,} jobs; {MAX_JOBS:,} are allowed")
    jobs: dict[str, Submission] = {}
    for case in cases:
        case.calibration = case.calibration or calibration
        if case.recompile_after is None:
            case.recompile_after = recompile_after
        for submission in case_submissions(case, name, read, folder):
            key = f"suite:{batch}:{case_digest(submission)}"
            jobs[key] = evolve(submission, tag=batch, idempotency_key=key)
    return list(jobs.values())


def case_submissions(
    case: Case, name: str, read: Callable[[str, str], Source], folder: Path
) -> Iterator[Submission]:
    """Yield the jobs of a case, without tag and key; see `suite_from_toml`."""
    limit = None if case.max_cost is None else dollars(case.max_cost)
    options = Options(case.method, objective=case.objective, seed=case.seed)
    backends = [reading.backend_beside(backend, folder) for backend in case.backends]
    wanted = [reading.target_beside(target, folder) for target in case.targets or [""]]
    calibration, targets = case.calibration or reading.SNAPSHOT, {}
    for backend in backends:
        specs = [
            reading.target_with_calibration(backend, name, calibration, folder) for name in wanted
        ]
        try:
            targets[backend] = [target_on(backend, spec) for spec in specs]
        except TargetError as error:
            raise TargetError(f"{name}: {error}; give them a [[case]] of their own") from error
    for program, backend in product(case.programs, backends):
        source = read(program, case.expect or "")
        for target in targets[backend]:
            yield Submission(
                CompileOrder(source, target, options, case.encoding), backend, case.shots,
                case.seed, case.repeat, max_cost_usd=limit, live=calibration == reading.LIVE,
                max_calibration_hours=case.recompile_after,
            )  # fmt: skip


def case_digest(submission: Submission) -> str:
    """Return the part of a job's key that differs from the other jobs of its suite."""
    order = submission.order
    parts = (
        order.source.digest, reading.LIVE if submission.live else order.target,
        order.options.method, order.encoding, order.options.objective,
        submission.backend, submission.shots, submission.seed, submission.repeat,
    )  # fmt: skip
    return sha256(repr(parts).encode()).hexdigest()[:32]
