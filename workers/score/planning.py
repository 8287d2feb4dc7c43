"""Plan of a suite on a backend: the jobs of its parts, and reasons of parts without jobs."""

from hashlib import sha256

from attrs import evolve, frozen

from backends import LocalBackend, backend_from_spec, target_on
from compiler.errors import InputError
from compiler.scores.standard.benchmark import NotApplicableError
from workers.jobs.request import Submission
from workers.jobs.submission import MAX_TAG, checked
from workers.score.suite import Outcome, Part, Suite

KEY = 32
"""Hexadecimal digits of a part's key."""


@frozen
class PlannedPart:
    """A part of a suite on a backend.

    Args:
        part: of the suite.
        jobs: one for each of its circuits; none if it cannot be run.
        refused: why not; empty if it can.
        outcome: of a part that cannot be run.
    """

    part: Part
    jobs: tuple[Submission, ...] = ()
    refused: str = ""
    outcome: Outcome = Outcome.UNSUPPORTED


@frozen
class ScoreRun:
    """One scoring of a backend.

    Args:
        suite: its name.
        backend: its spec.
        run: name of this scoring: the same one is continued.
        target: of the circuits.
    """

    suite: Suite
    backend: str
    run: str
    target: str

    @property
    def tag(self) -> str:
        """Tag of all of its jobs."""
        return f"score {self.suite.name} {self.run}"

    @property
    def key(self) -> str:
        """Key of its own job, when workers run it."""
        return f"score:{self._digest('')}"

    def key_of(self, job: Submission, name: str) -> str:
        """Return the key of a part's job: the same circuit, backend, suite and run.

        Versions are no part of it, so that a run goes on after an update.
        """
        order = job.order
        circuit = (order.source.digest, order.target, order.as_json(), job.shots, job.seed)
        return f"score:{self._digest(f'{name} {circuit}')}"

    def _digest(self, more: str) -> str:
        content = (self.suite.name, self.suite.digest, self.backend, self.run, more)
        return sha256(repr(content).encode()).hexdigest()[:KEY]


def score_run(suite: Suite, backend: str, run: str, target: str = "") -> ScoreRun:
    """Return a run of a suite, checked.

    Raises:
        InputError: if there is no such backend, it is for other targets, or the run has no
            name that jobs can bear.
    """
    result = ScoreRun(suite, backend, run, target_on(backend, target))
    if not run or len(result.tag) > MAX_TAG or not run.isprintable():
        raise InputError(f"run '{run[:MAX_TAG]}': take a name of 1 to 40 printable characters")
    return result


def planned_part(
    run: ScoreRun, part: Part, seed: int = 0, recompile_after: float | None = None
) -> PlannedPart:
    """Return the jobs of a part, or why the backend does not take it.

    Args:
        run: of the suite.
        part: of it.
        seed: of the shots, where they are simulated; each further circuit takes the next.
        recompile_after: hours; see `Submission.max_calibration_hours`.
    """
    local = isinstance(backend_from_spec(run.backend), LocalBackend)
    if local and part.standard is not None and part.standard.timed:
        why = "a simulator does not have the time of a device"
        return PlannedPart(part, (), why, Outcome.NOT_APPLICABLE)
    try:
        jobs = [
            checked(
                Submission(
                    order,
                    run.backend,
                    part.shots,
                    seed + place,
                    tag=run.tag,
                    max_calibration_hours=recompile_after,
                )
            )
            for place, order in enumerate(run.suite.orders(part, run.target))
        ]
    except NotApplicableError as error:
        return PlannedPart(part, (), str(error), Outcome.NOT_APPLICABLE)
    except InputError as error:
        return PlannedPart(part, (), str(error))
    keyed = (evolve(job, idempotency_key=run.key_of(job, part.name)) for job in jobs)
    return PlannedPart(part, tuple(keyed))
