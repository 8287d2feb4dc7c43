"""Suite files: programs × targets × backends, submitted as one batch that can be taken up again."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import product
from typing import Annotated

from attrs import evolve
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backends import target_on
from compiler.compilation import Options
from compiler.errors import InputError, TargetError
from compiler.formats.toml_document import TomlError, toml_document
from games.sources import Source
from workers.compilation.orders import CompileOrder
from workers.jobs.request import Submission
from workers.settings import dollars

Names = Annotated[list[str], Field(min_length=1, max_length=1000)]

MOST_JOBS = 10_000
"""That one file may stand for, jobs that are made several times counted once."""


class Common(BaseModel):
    """What all jobs of a suite share, and each case may set for itself."""

    model_config = ConfigDict(extra="forbid", strict=True)

    targets: Names | None = None
    shots: int = 1000
    repeat: int = 1
    seed: int = Field(0, ge=0, lt=2**31)
    method: str = "best"
    encoding: str = "best"
    objective: str = "two_qubit_gates"
    max_cost: str | None = None


class Case(Common):
    """Programs that are run on backends in every combination."""

    programs: Names
    backends: Names


class SuiteFile(Common):
    """The file: one combination by itself, or several cases."""

    suite: str = Field(min_length=1, max_length=80)
    programs: list[str] = []
    backends: list[str] = []
    case: list[Case] = []


def suite_from_toml(
    text: str, name: str, read: Callable[[str], Source], tag: str | None = None
) -> list[Submission]:
    """Return the jobs of a suite, each with a key of its own under the suite's tag.

    The key is made of what the job is, so that the same file under the same tag stands for the
    same jobs.

    Args:
        text: of the file.
        name: of the file, for messages.
        read: returns the program that a name in the file stands for.
        tag: of its jobs, if not the suite's name.

    Raises:
        InputError: saying what is wrong with it.
    """
    try:
        file = SuiteFile.model_validate(toml_document(text))
    except TomlError as error:
        raise InputError(f"{name}: not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{name}: {place}: {first['msg']}") from error
    cases = list(file.case)
    if file.programs or file.backends:
        own = file.model_dump(exclude={"suite", "case"})
        try:
            cases.insert(0, Case.model_validate(own))
        except ValidationError as error:
            raise InputError(f"{name}: programs and backends must both be named") from error
    if not cases:
        raise InputError(f"{name}: names no programs; write programs = [...] and backends = [...]")
    shared = file.model_dump(exclude={"suite", "case", "programs", "backends"}, exclude_unset=True)
    batch = tag or file.suite
    together = sum(len(c.programs) * len(c.backends) * len(c.targets or [""]) for c in cases)
    if together > MOST_JOBS:
        raise InputError(f"{name}: stands for {together:,} jobs; {MOST_JOBS:,} are allowed")
    jobs: dict[str, Submission] = {}
    for case in cases:
        given = case.model_dump(exclude_unset=True)
        for asked in _submissions(Case.model_validate(shared | given), name, read):
            key = f"suite:{batch}:{_digest(asked)}"
            jobs[key] = evolve(asked, tag=batch, idempotency_key=key)
    return list(jobs.values())


def _submissions(case: Case, name: str, read: Callable[[str], Source]) -> Iterator[Submission]:
    limit = None if case.max_cost is None else dollars(case.max_cost)
    for program, backend in product(case.programs, case.backends):
        source = read(program)
        for target in case.targets or [""]:
            try:
                spec = target_on(backend, target)
            except TargetError as error:
                raise TargetError(f"{name}: {error}; give them a [[case]] of their own") from error
            order = CompileOrder(
                source,
                spec,
                Options(case.method, objective=case.objective, seed=case.seed),
                encoding=case.encoding,
            )
            yield Submission(order, backend, case.shots, case.seed, case.repeat, max_cost_usd=limit)


def _digest(asked: Submission) -> str:
    order = asked.order
    parts = (
        order.source.digest, order.target, order.options.method, order.encoding,
        order.options.objective,
        asked.backend, asked.shots, asked.seed, asked.repeat,
    )  # fmt: skip
    return sha256(repr(parts).encode()).hexdigest()[:32]
