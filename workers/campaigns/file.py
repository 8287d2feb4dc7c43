"""Campaign files: what is measured, where, and when."""

from collections.abc import Callable, Iterator
from datetime import datetime
from decimal import Decimal
from itertools import product
from pathlib import Path

from attrs import evolve, frozen
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from compiler.errors import InputError
from compiler.formats.toml_document import TomlError, toml_document
from games.sources import Source
from workers.batches.batch import Batch
from workers.campaigns.schedule import Schedule, schedule_from_text
from workers.devices.naming import backend_beside
from workers.jobs.submission import checked
from workers.jobs.suite_files import Case, case_digest, case_submissions
from workers.score.planning import planned_part, score_run
from workers.score.suite import NEWEST, suite_named
from workers.settings import dollars
from workers.suites import Names, first_mistake

Read = Callable[[str, str], Source]
MOST_JOBS = 2000
"""Of one campaign."""


class _Score(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    backends: Names
    suite: str = NEWEST
    seed: int = Field(0, ge=0, lt=2**31)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    campaign: str = Field(min_length=1, max_length=40, pattern=r"^[\w.-]+$")
    schedule: str
    max_cost: str | None = None
    score: list[_Score] = []
    case: list[Case] = []


@frozen
class Campaign:
    """What is measured each time that it is due.

    Args:
        name: of it.
        schedule: when it is due.
        max_cost_usd: what one time may cost altogether; None for no limit of its own.
        file: what its file says of jobs.
        folder: where files that it names are.
        read: returns the program that a name stands for, with what it is expected to measure.
    """

    name: str
    schedule: Schedule
    max_cost_usd: Decimal | None
    file: _File
    folder: Path
    read: Read

    def due(self, at: datetime) -> datetime:
        """Return the last time at which it was due."""
        found = self.schedule.last(at)
        assert found is not None, "a schedule has been checked"
        return found

    def batch(self, run: str) -> Batch:
        """Return the jobs of one time.

        Raises:
            InputError: if a job cannot be run; parts of scores that cannot be count as 0.
        """
        name = f"{self.name} {run}"
        jobs = {}
        for case in self.file.case:
            for asked in case_submissions(case, self.name, self.read, self.folder):
                ready = checked(asked)
                key = f"campaign:{name}:{case_digest(ready)}"[:150]
                jobs[key] = evolve(ready, tag=self.tag(run), idempotency_key=key)
        scores = []
        for one, backend in self._scored():
            of = score_run(suite_named(one.suite), backend, name)
            parts = tuple(planned_part(of, part, one.seed) for part in of.suite.parts)
            scores.append((of, parts))
        return Batch(f"campaign {self.name}", tuple(jobs.values()), tuple(scores))

    def tag(self, run: str) -> str:
        """Return what its jobs of one time are found by."""
        return f"campaign {self.name} {run}"

    def _scored(self) -> Iterator[tuple[_Score, str]]:
        for one in self.file.score:
            for backend in one.backends:
                yield one, backend_beside(backend, self.folder)


def campaign_from_toml(text: str, name: str, read: Read, folder: Path = Path()) -> Campaign:
    """Return the campaign of a file.

    Args:
        text: of the file.
        name: of the file, for messages.
        read: returns the program that a name in the file stands for; see `suite_from_toml`.
        folder: where files that it names are looked for.

    Raises:
        InputError: saying what is wrong with it.
    """
    try:
        said = _File.model_validate(toml_document(text, parse_float=Decimal))
        schedule = schedule_from_text(said.schedule)
        limit = None if said.max_cost is None else dollars(said.max_cost)
    except TomlError as error:
        raise InputError(f"{name}: not TOML: {error}") from error
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
    except ValidationError as error:
        keys = {*_File.model_fields, *_Score.model_fields, *Case.model_fields}
        raise InputError(first_mistake(error, keys, name, text)) from error
    for one in said.score:
        suite_named(one.suite)
    sizes = [len(suite_named(one.suite).parts) * len(one.backends) for one in said.score]
    sizes += [
        len(list(product(one.programs, one.backends, one.targets or [""]))) for one in said.case
    ]
    if not sizes:
        raise InputError(f"{name}: measures nothing; write a [[score]] or a [[case]]")
    if sum(sizes) > MOST_JOBS:
        raise InputError(f"{name}: stands for {sum(sizes):,} jobs; {MOST_JOBS:,} are allowed")
    return Campaign(said.campaign, schedule, limit, said, folder, read)
