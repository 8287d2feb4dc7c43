"""The committed counts, `gate_counts.json`: one entry a line, in the order of the suite."""

import json
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from attrs import asdict, fields, frozen, has
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backends.devices.reading import SUFFIXES
from backends.regular_files import read_regular_file
from compiler.errors import InputError
from compiler.native_digest import program_digest
from compiler.targets.target import target_from_spec
from games.sources import Source, read_game, read_program
from workers.gate_counts.counts import Counts
from workers.gate_counts.programs import AMPLIFIED, Amplified
from workers.gate_counts.suite import Entry, Key, entry_key, title
from workers.suites import json_mistake

DIGITS = 16
"""Hexadecimal digits that the baseline keeps."""


def entry_digest(entry: Entry) -> str:
    """Return what tells the program of an entry from another one under the same name.

    It is a digest of the circuit that was read, or of the game's rules: whitespace, comments and
    the names of registers do not change it. It includes the couplings and gates of a device that
    the suite names by a file, and not its calibration. The encoding and the options are part of
    the entry's key.

    Raises:
        InputError: if the program or the device cannot be read.
    """
    parts = [_program(entry.order.source)]
    if entry.target.endswith(SUFFIXES):
        parts.append(_device(entry.order.target))
    return sha256("\n".join(parts).encode()).hexdigest()[:DIGITS]


@cache
def _program(source: Source) -> str:
    if source.name.startswith(AMPLIFIED):
        source = Source(Amplified.named(source.name).game)
    if source.is_circuit:
        program = read_program(source)
        return f"{program_digest(program.circuit)} {program.resets}"
    game = read_game(source)
    return f"{type(game).__name__}({_shown(_state(game), leave_out='name')})"


@cache
def _device(spec: str) -> str:
    instructions = target_from_spec(spec).instructions
    return "\n".join(sorted(f"{operation.name} {qubits}" for operation, qubits in instructions))


def _state(value: object) -> dict[str, object]:
    """Return the attributes by which a value equals another one."""
    kind = type(value)
    if not has(kind):
        return vars(value)
    return {field.name: getattr(value, field.name) for field in fields(kind) if field.eq}


def _shown(state: Mapping[str, object], leave_out: str = "") -> str:
    return ", ".join(f"{name}={_text(one)}" for name, one in state.items() if name != leave_out)


def _text(value: object) -> str:
    """Return a frozen value as text: the same one for equal values of the same class."""
    kind = type(value)
    if has(kind):
        return f"{kind.__name__}({_shown(_state(value))})"
    if isinstance(value, Enum):
        return f"{kind.__name__}.{value.name}"
    if isinstance(value, Mapping):
        pairs = sorted(f"{_text(key)}: {_text(item)}" for key, item in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(_text, value)))}}}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_text, value))}]"
    return repr(value)


MOST_BYTES = 100_000_000
UPDATE = "stichwerk gates update"


class Line(BaseModel):
    """An entry and its counts, as the file keeps them."""

    model_config = ConfigDict(extra="forbid", strict=True)

    program: str
    encoding: str
    target: str
    method: str
    options: dict[str, Any] = {}
    digest: str
    """Of the program; see `entry_digest`."""
    two_qubit_gates: int = Field(ge=0)
    two_qubit_depth: int = Field(ge=0)
    depth: int = Field(ge=0)
    gates: int = Field(ge=0)
    verified: Literal["unverified", "sampled", "exact"]

    @property
    def key(self) -> Key:
        """What tells the entry from every other one."""
        return entry_key(self.program, self.encoding, self.target, self.method, self.options)

    @property
    def counts(self) -> Counts:
        """The counts alone."""
        return Counts(
            self.two_qubit_gates, self.two_qubit_depth, self.depth, self.gates, self.verified
        )

    @classmethod
    def of(cls, entry: Entry, counts: Counts) -> "Line":
        """Return the line for an entry with these counts."""
        figures = asdict(counts)
        del figures["detail"]
        return cls(
            program=entry.program,
            encoding=entry.encoding,
            target=entry.target,
            method=entry.method,
            options=entry.options,
            digest=entry_digest(entry),
            **figures,
        )


class BaselineFile(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    versions: dict[str, str]
    entries: list[Line]


@frozen(eq=False)
class Baseline:
    """What the suite is held to.

    Args:
        versions: that the counts were made with.
        lines: by the entries' keys.
    """

    versions: Mapping[str, str]
    lines: Mapping[Key, Line]


def read_baseline(path: Path, update: str = UPDATE) -> Baseline:
    """Read the file.

    Args:
        path: of the file.
        update: the command that makes it anew, which messages name.

    Raises:
        InputError: if it cannot be used; the message says how to make it anew.
    """
    try:
        file = BaselineFile.model_validate(json.loads(read_regular_file(path, MOST_BYTES)))
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no baseline; make one with '{update}'") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValidationError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: {json_mistake(error)}; make it anew with '{update}'") from error
    lines: dict[Key, Line] = {}
    for line in file.entries:
        if line.key in lines:
            raise InputError(
                f"{path}: {title(line.key)} is there twice; make it anew with '{update}'"
            )
        lines[line.key] = line
    return Baseline(file.versions, lines)


def baseline_text(versions: Mapping[str, str], lines: Sequence[Line]) -> str:
    """Return the file's text: the same lines in the same order give the same bytes."""
    entries = ",\n".join(
        "    " + json.dumps(line.model_dump(exclude_defaults=True), ensure_ascii=False)
        for line in lines
    )
    named = json.dumps(dict(sorted(versions.items())), indent=4, ensure_ascii=False)
    named = named.replace("\n}", "\n  }")
    return f'{{\n  "versions": {named},\n  "entries": [\n{entries}\n  ]\n}}\n'
