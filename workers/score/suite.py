"""Score suites: files that pin what a machine is scored by."""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from attrs import field, frozen
from pydantic import BaseModel, ConfigDict, Field

from compiler.compilation import Options
from compiler.errors import UnknownNameError
from compiler.expectation import expectation_of
from compiler.formats.toml_document import toml_document
from compiler.near_misses import meant
from games import DEFAULT_ENCODING
from games.sources import Source
from workers.compilation.orders import CompileOrder

NEWEST = "v1"
"""The suite that is taken if none is named."""

SUITES = files("workers.score") / "suites"
"""Where they are; one is never changed, since scores by it stand beside one another."""

ENDING = ".toml"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _PartOfFile(_Strict):
    name: str
    family: str
    weight: int = Field(gt=0)
    program: str
    encoding: str = DEFAULT_ENCODING
    shots: int = Field(gt=0)
    expect: dict[str, int] = {}


class _File(_Strict):
    suite: str
    title: str
    method: str
    objective: str
    seed: int
    part: list[_PartOfFile] = Field(min_length=1)


@frozen
class Part:
    """One program of a suite.

    Args:
        name: of the part.
        family: whose parts are told together.
        weight: in the mean.
        source: a game, or a circuit with what it is expected to measure.
        encoding: of a game.
        shots: how often it runs.
        options: how it is compiled.
    """

    name: str
    family: str
    weight: int
    source: Source
    encoding: str
    shots: int
    options: Options

    def order(self, target: str, batch: str | None = None) -> CompileOrder:
        """Return what is to be compiled for a target."""
        return CompileOrder(self.source, target, self.options, self.encoding, batch=batch)


@frozen
class Suite:
    """Programs by which machines are scored.

    Args:
        name: under which it never changes.
        title: what is in it.
        content: of its file.
        parts: its programs.
    """

    name: str
    title: str
    content: bytes = field(repr=False)
    parts: tuple[Part, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of its file, in hexadecimal: what tells it from any other."""
        return sha256(self.content).hexdigest()

    @property
    def shots(self) -> int:
        """Of all of its parts together."""
        return sum(part.shots for part in self.parts)


def suite_names() -> tuple[str, ...]:
    """Return the names of the suites that there are, the oldest first."""
    names = (one.name.removesuffix(ENDING) for one in SUITES.iterdir() if ENDING in one.name)
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
    said = _File.model_validate(toml_document(content.decode()))
    assert said.suite == name
    options = Options(said.method, objective=said.objective, seed=said.seed)
    return Suite(name, said.title, content, tuple(_part(one, options) for one in said.part))


def _part(said: _PartOfFile, options: Options) -> Part:
    source = Source(said.program)
    if said.expect:
        weights: dict[str, Any] = dict(said.expect)
        expected = expectation_of(weights, said.name).as_bytes()
        source = Source(f"{said.name}.qasm", said.program.encode(), expected)
    return Part(said.name, said.family, said.weight, source, said.encoding, said.shots, options)
