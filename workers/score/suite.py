"""Score suites: files that pin programs and options of a score, and their plan on a backend."""

from enum import StrEnum
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files

from attrs import evolve, frozen
from pydantic import BaseModel, ConfigDict, Field

from backends import LocalBackend, backend_from_spec, target_on
from compiler.compilation import Options
from compiler.errors import InputError, UnknownNameError, meant
from compiler.expectation import expectation_of
from compiler.formats.circuit_files import qpy_bytes
from compiler.formats.toml_document import toml_document
from compiler.scores.standard.benchmark import Benchmark, Couplings, NotApplicableError, benchmarks
from compiler.targets import sized_spec, target_from_spec
from games import DEFAULT_ENCODING
from games.nonlocal_games.questions import question_sources
from games.sources import Source
from workers.compilation.orders import CompileOrder
from workers.jobs.request import Submission
from workers.jobs.submission import MAX_TAG, checked

NEWEST = "v1"
"""The suite that is taken if none is named."""

SUITES = files("workers.score") / "suites"
"""Folder of the suites; a suite is never changed, since scores by it are compared."""

ENDING = ".toml"


class Outcome(StrEnum):
    """Outcome of a part of a suite."""

    COMPLETED = "completed"
    UNSUPPORTED = "unsupported"
    """The backend does not support it, because of a capability or its size."""
    NOT_APPLICABLE = "not applicable"
    """The benchmark is not defined on the device."""
    ERROR = "error"
    """It was lost: the score is not complete before it has run again."""


class Strict(BaseModel):
    """Table of a file of a suite or a score; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class Part(Strict):
    """A program or a standard benchmark of a suite.

    Args:
        name: of the part.
        family: parts of one family have one mean.
        weight: in the mean; 0 for a part that has no score from 0 to 1.
        program: a game, or the text of a circuit; empty for a benchmark.
        encoding: of a game.
        shots: of each circuit.
        expect: expected outcomes of a circuit; empty for a game.
        questions: whether each question of a nonlocal game is a circuit.
        benchmark: name of a standard benchmark; empty for a program.
        parameters: of the benchmark.
    """

    name: str
    family: str
    weight: int = Field(ge=0)
    program: str = ""
    encoding: str = DEFAULT_ENCODING
    shots: int = Field(gt=0)
    expect: dict[str, int] = {}
    questions: bool = False
    benchmark: str = ""
    parameters: dict[str, int | list[int]] = {}

    @property
    def source(self) -> Source:
        """The game, or the circuit with its expected result."""
        if not self.expect:
            return Source(self.program)
        expected = expectation_of(dict(self.expect), self.name).as_bytes()
        return Source(f"{self.name}.qasm", self.program.encode(), expected)

    @cached_property
    def standard(self) -> Benchmark | None:
        """The standard benchmark, None for a program."""
        return benchmarks[self.benchmark](**self.parameters) if self.benchmark else None


class Suite(Strict):
    """Programs and benchmarks by which machines are scored.

    Args:
        name: under which it never changes.
        title: one line for lists.
        method: of synthesis.
        objective: by which candidates are chosen.
        seed: of compilations.
        counts_unsupported: whether a part that a machine does not support counts as 0; otherwise
            the mean is that of the completed parts.
        parts: its programs.
        content: of its file.
    """

    name: str = Field(alias="suite")
    title: str
    method: str
    objective: str
    seed: int
    counts_unsupported: bool = True
    parts: list[Part] = Field(alias="part", min_length=1)
    content: bytes = Field(repr=False)

    def orders(self, part: Part, target: str) -> list[CompileOrder]:
        """Return the circuits of a part that are to be compiled for a target.

        Benchmarks hold on any input, so that no pass computes their circuits in advance.

        Raises:
            InputError: if there is no such target.
            NotApplicableError: if the benchmark is not defined on it.
        """
        options = Options(self.method, objective=self.objective, seed=self.seed)
        if part.questions:
            # One pipeline is enough for circuits of a few qubits, and there are many of them.
            options = evolve(options, pipelines=("qiskit",))
            sources = question_sources(part.source)
            return [CompileOrder(source, target, options, part.encoding) for source in sources]
        if part.standard is None:
            return [CompileOrder(part.source, target, options, part.encoding)]
        qiskit = evolve(options, pipelines=("qiskit",), seeds=1, any_input=True)
        options = options.in_place if part.standard.placed else qiskit
        circuits = part.standard.circuits(couplings_for(part.standard, target))
        orders = []
        for number, circuit in enumerate(circuits, 1):
            name = f"{part.name}-{number}"
            source = Source(f"{name}.qpy", qpy_bytes(circuit.copy(name=name)))
            orders.append(CompileOrder(source, target, options))
        return orders

    @property
    def digest(self) -> str:
        """SHA-256 of its file, in hexadecimal."""
        return sha256(self.content).hexdigest()

    @property
    def shots(self) -> int:
        """Shots of one circuit of each part together."""
        return sum(part.shots for part in self.parts)


def couplings_for(benchmark: Benchmark, target: str) -> Couplings:
    """Return the couplings of a target; one without a size gets that of the benchmark."""
    return Couplings.of(target_from_spec(sized_spec(target, benchmark.qubits)))


def suite_names() -> tuple[str, ...]:
    """Return the names of the suites that there are, the oldest first."""
    names = (path.name.removesuffix(ENDING) for path in SUITES.iterdir() if ENDING in path.name)
    return tuple(sorted(names, key=lambda name: (len(name), name)))


@cache
def suite_named(name: str) -> Suite:
    """Return a suite.

    Raises:
        UnknownNameError: if there is none of this name.
    """
    names = suite_names()
    if name not in names:
        raise UnknownNameError(f"unknown score suite '{name}'; {meant(name, names)}")
    content = SUITES.joinpath(f"{name}{ENDING}").read_bytes()
    suite = Suite(**toml_document(content.decode()), content=content)
    assert suite.name == name
    return suite


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
