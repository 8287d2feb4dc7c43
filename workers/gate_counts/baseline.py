"""The committed counts, `gate_counts.json`, and a suite against them."""

import json
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import numpy as np
from attrs import fields, frozen, has
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from qiskit import QuantumCircuit

from backends.devices.reading import SUFFIXES
from backends.regular_files import read_regular_file
from compiler.errors import InputError
from compiler.native_digest import program_digest
from compiler.targets.target import target_from_spec
from games.sources import Source, read_game, read_program
from workers.attributes import attributes, build
from workers.gate_counts.counts import Change, Counts, Tolerance, Verdict, compare
from workers.gate_counts.environment import all_versions
from workers.gate_counts.programs import AMPLIFIED, Amplified
from workers.gate_counts.running import Counted
from workers.gate_counts.suite import Entry, Key, entry_key, title
from workers.suites import json_mistake

DIGITS = 16
"""Hexadecimal digits that the baseline keeps."""


def entry_digest(entry: Entry) -> str:
    """Return a digest of an entry's program, so that a program of the same name is told apart.

    It is made of the circuit that was read, or of the game's rules: whitespace, comments and
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
    return ", ".join(f"{name}={_text(value)}" for name, value in state.items() if name != leave_out)


def _text(value: object) -> str:
    """Return a frozen value as text: the same one for equal values of the same class."""
    kind = type(value)
    if has(kind):
        text = f"{kind.__name__}({_shown(_state(value))})"
    elif isinstance(value, Enum):
        text = f"{kind.__name__}.{value.name}"
    elif isinstance(value, Mapping):
        pairs = sorted(f"{_text(key)}: {_text(item)}" for key, item in value.items())
        text = f"{{{', '.join(pairs)}}}"
    elif isinstance(value, set | frozenset):
        text = f"{{{', '.join(sorted(map(_text, value)))}}}"
    elif isinstance(value, tuple | list):
        text = f"[{', '.join(map(_text, value))}]"
    elif isinstance(value, QuantumCircuit):
        text = program_digest(value)
    elif isinstance(value, np.ndarray):
        text = str((value.round(6) + 0.0).tolist())
    else:
        text = repr(value)
    return text


MAX_BYTES = 100_000_000
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
        """Key of the entry in the baseline."""
        return entry_key(self.program, self.encoding, self.target, self.method, self.options)

    @property
    def counts(self) -> Counts:
        """The counts alone."""
        return build(Counts, self)

    @classmethod
    def of(cls, entry: Entry, counts: Counts) -> "Line":
        """Return the line for an entry with these counts."""
        return cls(**attributes(cls.model_fields, entry, counts, digest=entry_digest(entry)))


class BaselineFile(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    versions: dict[str, str]
    entries: list[Line]


@frozen(eq=False)
class Baseline:
    """The committed counts of a suite.

    Args:
        versions: of packages and sources at the count.
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
        file = BaselineFile.model_validate(json.loads(read_regular_file(path, MAX_BYTES)))
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


@frozen
class Row:
    """Comparison of one entry with its baseline.

    Args:
        key: the entry's.
        before: counts of the baseline; None if it lacks the entry.
        after: counts of now; None if the suite lacks the entry.
        verdict: the comparison of both.
        cached: whether the counts are from the cache.
        tolerance: allowed growth of depth and gates; None if the suite lacks the entry.
    """

    key: Key
    before: Counts | None
    after: Counts | None
    verdict: Verdict
    cached: bool = False
    tolerance: Tolerance | None = None

    @property
    def change(self) -> Change:
        """Kind of the change."""
        return self.verdict.change


@frozen(eq=False)
class Check:
    """A whole comparison.

    Args:
        rows: the suite's in its order, then those that only the baseline knows.
        versions: those that differ: of the baseline and of now, `""` where there is none.
            A baseline without any has not been written yet.
    """

    rows: Sequence[Row]
    versions: Mapping[str, tuple[str, str]]

    def count(self, change: Change) -> int:
        """Return how many entries have changed in this way."""
        return sum(row.change is change for row in self.rows)

    @property
    def passed(self) -> bool:
        """Return whether nothing is worse, nothing missing and no program changed."""
        return not any(row.change.fails for row in self.rows)

    @property
    def failures(self) -> int:
        """Number of entries without counts that a baseline may have."""
        return sum(
            row.after is not None and row.after.failed and row.change.fails for row in self.rows
        )

    @property
    def outdated(self) -> bool:
        """True if the check passed and the baseline should be rewritten."""
        return self.passed and any(row.change in (Change.BETTER, Change.NEW) for row in self.rows)


def check(entries: Sequence[Entry], counted: Sequence[Counted], baseline: Baseline) -> Check:
    """Compare counts with the baseline.

    Args:
        entries: of the suite.
        counted: for each of them.
        baseline: of the suite.
    """
    rows = [_row(entry, counts, baseline) for entry, counts in zip(entries, counted, strict=True)]
    named = {entry.key for entry in entries}
    rows += [
        Row(key, line.counts, None, Verdict(Change.MISSING, ("the suite does not name it",)))
        for key, line in baseline.lines.items()
        if key not in named
    ]
    now = all_versions()
    names = sorted(baseline.versions.keys() | now.keys()) if baseline.versions else ()
    pairs = {name: (baseline.versions.get(name, ""), now.get(name, "")) for name in names}
    return Check(rows, {name: pair for name, pair in pairs.items() if pair[0] != pair[1]})


def _row(entry: Entry, counted: Counted, baseline: Baseline) -> Row:
    line = baseline.lines.get(entry.key)
    before = None if line is None else line.counts
    verdict = compare(before, counted.counts, entry.tolerance, entry.expect)
    refused = counted.counts.refused
    if line is not None and not refused and line.digest != (digest := entry_digest(entry)):
        # A failure is worse for any program.
        change = verdict.change if counted.counts.failed else Change.CHANGED
        other = "program or device" if entry.target.endswith(SUFFIXES) else "program"
        verdict = Verdict(
            change, (f"another {other}, digest {line.digest} → {digest}", *verdict.reasons)
        )
    return Row(entry.key, before, counted.counts, verdict, counted.cached, entry.tolerance)


def new_lines(entries: Sequence[Entry], counted: Sequence[Counted]) -> list[Line]:
    """Return the lines of a new baseline, in the order of the suite."""
    return [
        Line.of(entry, counts.counts)
        for entry, counts in zip(entries, counted, strict=True)
        if entry.expect != "refused"
    ]
