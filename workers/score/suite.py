"""Score suites: files that pin the programs and options of a score."""

from enum import StrEnum
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files

from attrs import evolve
from pydantic import BaseModel, ConfigDict, Field

from compiler.compilation import Options
from compiler.errors import UnknownNameError, meant
from compiler.expectation import expectation_of
from compiler.formats.circuit_files import qpy_bytes
from compiler.formats.toml_document import toml_document
from compiler.scores.standard.benchmark import Benchmark, Couplings, benchmarks
from compiler.targets import sized_spec, target_from_spec
from games import DEFAULT_ENCODING
from games.nonlocal_games.questions import question_sources
from games.sources import Source
from workers.compilation.orders import CompileOrder

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
