"""Models of requests: every field bounded, and all values fit for a database."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from attrs import evolve
from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictFloat,
    StrictInt,
    StrictStr,
    model_validator,
)

from backends.devices.reading import target_with_calibration
from compiler.compilation import Options
from compiler.errors import GameError, InputError, meant
from compiler.expectation import MAX_OUTCOMES, expectation_of
from compiler.formats.parameter_values import values_from_json
from games import BEST_ENCODING, DEFAULT_ENCODING
from games.sources import CIRCUITS, SUFFIXES, Source
from service.api.strict_json import strict_json
from service.results.model import DescribedModel
from workers.compilation.orders import CompileOrder
from workers.jobs.request import MAX_SHOTS
from workers.jobs.states import State
from workers.jobs.submission import MAX_REPEATS, MAX_TAG
from workers.settings import MONEY
from workers.untrusted_programs.inspector import MAX_NESTING


def toml_text(game: str | Mapping[str, Any]) -> str:
    """Return a JSON object, or its text, as a TOML document.

    Raises:
        GameError: if it is none, or holds null or more levels than a game needs.
    """
    try:
        table = strict_json(game.encode()) if isinstance(game, str) else game
    except ValueError as error:
        raise GameError(f"game: not a JSON object: {error}") from error
    return "".join(f"{_text(key)} = {_value(value, 1)}\n" for key, value in table.items())


def _value(value: object, depth: int) -> str:
    if depth > MAX_NESTING:
        raise GameError(f"game: nested deeper than {MAX_NESTING} levels")
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return _text(value)
        case Mapping():
            pairs = (f"{_text(key)} = {_value(item, depth + 1)}" for key, item in value.items())
            return "{" + ", ".join(pairs) + "}"
        case list():
            return "[" + ", ".join(_value(item, depth + 1) for item in value) + "]"
    raise GameError("game: null has no meaning in a game; leave the key out")


def _text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise GameError("game: holds half of a surrogate pair, which is no text") from error
    # Its escapes are TOML's too, as long as other characters are not escaped.
    return json.dumps(value, ensure_ascii=False)


LARGEST_ID = 2**31 - 1
LONGEST_NAME = 100
LONGEST_PAGE = 1000
MAX_SECONDS = 1e9
YEARS = (1970, 9998)
# Python also takes 1_0, +5 and digits of other scripts for numbers.
INTEGER = re.compile(r"-?[0-9]{1,18}")
DATED = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
FILES = (".qasm", ".toml")
MAX_PARAMETERS = 10_000


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("must be printable")
    return text


def _file_name(text: str) -> str:
    if not text.endswith(FILES):
        raise ValueError(f"must end in {' or '.join(FILES)}; QPY is not taken over HTTP")
    return text


def _no_content(text: object) -> object:
    if isinstance(text, str) and ("\n" in text or text.lstrip().startswith("OPENQASM")):
        raise ValueError("names a built-in game; send a circuit as 'file', a game as 'game'")
    return text


def _no_file(text: str) -> str:
    if text.endswith(SUFFIXES):
        raise ValueError("names a file: send its content as 'file'")
    return text


def _few_values(values: Mapping[str, object]) -> Mapping[str, object]:
    number = sum(len(value) if isinstance(value, list) else 1 for value in values.values())
    if number > MAX_PARAMETERS:
        raise ValueError(f"{number:,} values; at most {MAX_PARAMETERS:,} are taken")
    return values


def _plain_integer(text: object) -> object:
    if isinstance(text, str) and not INTEGER.fullmatch(text):
        raise ValueError("write a whole number in digits")
    return text


def _plain_money(amount: object) -> object:
    if isinstance(amount, bool) or (isinstance(amount, str) and not MONEY.fullmatch(amount)):
        raise ValueError("write an amount of US dollars such as 5 or 0.30")
    return amount


def _dated(text: object) -> object:
    if not (isinstance(text, str) and DATED.match(text)):
        raise ValueError("write a time such as 2026-01-31T12:00:00Z, or a date")
    return text


def _in_utc(at: datetime) -> datetime:
    if not YEARS[0] <= at.year <= YEARS[1]:
        raise ValueError(f"the year must be from {YEARS[0]} to {YEARS[1]}")
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


Name = Annotated[str, Field(pattern=r"^[a-z0-9_-]+$", max_length=40)]
Spec = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9:._-]*$", max_length=80)]
Tag = Annotated[str, Field(min_length=1, max_length=MAX_TAG), AfterValidator(_printable)]
Words = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_printable)]
PlainInteger = BeforeValidator(_plain_integer)

JobId = Annotated[int, PlainInteger, Field(ge=1, le=LARGEST_ID)]


class RequestModel(DescribedModel):
    """Fields of a request; an unknown one is refused with the nearest known one."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _check_names(cls, fields: object) -> object:
        for name in fields if isinstance(fields, Mapping) else ():
            if name not in cls.model_fields:
                raise ValueError(f"unknown field '{name}'; {meant(name, cls.model_fields)}")
        return fields


class File(RequestModel):
    """Program as the content of a file."""

    name: Annotated[
        str,
        Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._ -]*$", max_length=LONGEST_NAME),
        AfterValidator(_file_name),
    ]
    """Ends in .qasm (OpenQASM 2 or 3) or .toml (a game)"""
    content: str


class JobRequest(RequestModel):
    """Jobs to submit. Exactly one of `program`, `game` and `file` is required."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"program": "skat-4", "backend": "sparse", "shots": 1000, "tag": "first"}
        }
    )

    program: Annotated[Spec, BeforeValidator(_no_content), AfterValidator(_no_file)] | None = None
    """A built-in game, such as skat-4"""
    game: str | dict[str, Any] | None = None
    """Rules of a game: TOML text, JSON text, or a JSON object"""
    file: File | None = None
    """A circuit or a game, as the content of a file"""
    backend: Spec
    target: Spec | None = None
    """Target; by default the backend's"""
    calibration: Literal["snapshot", "live"] = "snapshot"
    """Calibration of the target device: the shipped snapshot, or the current one from the provider,
    read with the service's account"""
    recompile_after_hours: float | None = Field(
        None, ge=0, le=MAX_SECONDS, strict=True, allow_inf_nan=False
    )
    """Compile again before submission if the calibration is older than this number of hours, and a
    newer one exists; never by default"""
    expect: dict[str, StrictInt | StrictFloat | StrictStr] | None = Field(
        None, min_length=1, max_length=MAX_OUTCOMES
    )
    """Expected outcomes of a circuit: counts, probabilities or fractions by bit string, classical
    bit 0 on the right; by default computed if the circuit is small enough"""
    bind: (
        Annotated[
            dict[str, StrictInt | StrictFloat | list[StrictInt | StrictFloat]],
            AfterValidator(_few_values),
        ]
        | None
    ) = Field(None, min_length=1, max_length=MAX_PARAMETERS)
    """Values of the circuit's parameters by name; a list stands for the elements of a vector"""
    shots: int = Field(1000, ge=1, le=MAX_SHOTS, strict=True)
    seed: int = Field(0, ge=0, le=LARGEST_ID - MAX_REPEATS, strict=True)
    repeat: int = Field(1, ge=1, le=MAX_REPEATS, strict=True)
    """Number of jobs"""
    tag: Tag | None = None
    method: Name = "fast"
    encoding: Name = Field(
        DEFAULT_ENCODING,
        description=f"Encoding of a game: {DEFAULT_ENCODING}, its first one; {BEST_ENCODING}, the "
        "best of all by the objective; or a name",
    )
    objective: Name = "two_qubit_gates"
    any_input: bool | None = Field(None, strict=True)
    """Compile for any input, not only |0…0⟩; the default if nothing is measured"""
    reuse_qubits: bool = Field(False, strict=True)
    """Measure qubits early and reuse them; needs a backend with mid-circuit measurements and
    resets"""
    time_limit_seconds: float | None = Field(
        None, ge=0, le=MAX_SECONDS, strict=True, allow_inf_nan=False
    )
    """Start no further compilation attempt after this time; results then depend on the speed of the
    computer"""
    max_cost_usd: Annotated[Decimal, BeforeValidator(_plain_money)] | None = Field(
        None, ge=0, le=1_000_000, decimal_places=6, allow_inf_nan=False
    )
    """Maximum cost of each job"""

    @model_validator(mode="after")
    def _one_program(self) -> "JobRequest":
        if sum(field is not None for field in (self.program, self.game, self.file)) != 1:
            raise ValueError("give exactly one of program, game and file")
        return self

    def order(self) -> CompileOrder:
        """Return the order, unchecked.

        Raises:
            InputError: if the game is no JSON, the objective unknown, the expected result no
                distribution, a value no finite number, or the device has no such calibration.
            UnavailableError: if the provider does not answer.
        """
        options = Options(
            self.method, objective=self.objective, seed=self.seed, any_input=self.any_input,
            reuse_qubits=self.reuse_qubits,
        )  # fmt: skip
        target = target_with_calibration(self.backend, self.target or "", self.calibration)
        return CompileOrder(
            self._source(), target, options, encoding=self.encoding,
            time_limit=self.time_limit_seconds,
        )  # fmt: skip

    def _source(self) -> Source:
        source = self._program()
        if self.bind is not None:
            (values,) = values_from_json(json.dumps(self.bind), "bind")
            source = evolve(source, values=values)
        if self.expect is None:
            return source
        if self.file is None or not self.file.name.endswith(CIRCUITS):
            raise InputError("expect: a game knows its own distribution; this is for circuits")
        return evolve(source, expected=expectation_of(self.expect, "expect").as_bytes())

    def _program(self) -> Source:
        if self.program is not None:
            return Source(self.program)
        if self.file is not None:
            return Source(self.file.name, self.file.content.encode())
        text = _game_text(self.game or "")
        return Source("game.toml", text.encode())


def _game_text(game: str | Mapping[str, Any]) -> str:
    if isinstance(game, str) and not game.lstrip().startswith("{"):
        return game
    return toml_text(game)


class Listed(RequestModel):
    """Filter of the list of jobs."""

    program: Words | None = None
    """Only jobs of this program"""
    since: Annotated[datetime, BeforeValidator(_dated), AfterValidator(_in_utc)] | None = None
    """Submitted at this time or later; in UTC if it has no time zone"""
    state: State | None = None
    """Only jobs in this state"""
    tag: Tag | None = None
    backend: Spec | None = None
    text: Words | None = None
    """Only jobs with this text in program, target, backend, tag or error, or with this id"""
    quarantined: bool = False
    """Only jobs in quarantine"""
    parent: JobId | None = None
    """Only child jobs of this job"""
    before: JobId | None = None
    """Only jobs with lower ids"""
    limit: Annotated[int, PlainInteger] = Field(50, ge=1, le=LONGEST_PAGE)
