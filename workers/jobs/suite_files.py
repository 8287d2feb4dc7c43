"""Suite files: programs × targets × backends, submitted as one batch that can be taken up again."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import product
from pathlib import Path

from attrs import evolve
from pydantic import Field

from backends import target_on
from backends.devices import reading
from compiler.compilation import Options
from compiler.errors import InputError, TargetError
from games import DEFAULT_ENCODING
from games.sources import Source
from workers.compilation.orders import CompileOrder
from workers.jobs.request import Submission
from workers.settings import dollars
from workers.suites import Names, Shared, cases_from_toml

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
