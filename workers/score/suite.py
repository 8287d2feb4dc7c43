"""Score suites: files that pin what a machine is scored by."""

from functools import cache
from hashlib import sha256
from importlib.resources import files

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


class Strict(BaseModel):
    """Table of a file of a suite or a score; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class Part(Strict):
    """One program of a suite.

    Args:
        name: of the part.
        family: whose parts are told together.
        weight: in the mean.
        program: a game, or the text of a circuit.
        encoding: of a game.
        shots: how often it runs.
        expect: what a circuit is expected to measure; nothing for a game.
    """

    name: str
    family: str
    weight: int = Field(gt=0)
    program: str
    encoding: str = DEFAULT_ENCODING
    shots: int = Field(gt=0)
    expect: dict[str, int] = {}

    @property
    def source(self) -> Source:
        """The game, or the circuit with what it is expected to measure."""
        if not self.expect:
            return Source(self.program)
        expected = expectation_of(dict(self.expect), self.name).as_bytes()
        return Source(f"{self.name}.qasm", self.program.encode(), expected)


class Suite(Strict):
    """Programs by which machines are scored.

    Args:
        name: under which it never changes.
        title: what is in it.
        method: of synthesis.
        objective: by which candidates are chosen.
        seed: of compilations.
        parts: its programs.
        content: of its file.
    """

    name: str = Field(alias="suite")
    title: str
    method: str
    objective: str
    seed: int
    parts: list[Part] = Field(alias="part", min_length=1)
    content: bytes = Field(repr=False)

    def order(self, part: Part, target: str) -> CompileOrder:
        """Return what of a part is to be compiled for a target."""
        options = Options(self.method, objective=self.objective, seed=self.seed)
        return CompileOrder(part.source, target, options, part.encoding)

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
    suite = Suite(**toml_document(content.decode()), content=content)
    assert suite.name == name
    return suite
