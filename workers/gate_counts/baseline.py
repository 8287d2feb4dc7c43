"""The committed counts, `gate_counts.json`: one entry a line, in the order of the suite."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from attrs import asdict, frozen
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backends.regular_files import read_regular_file
from compiler.errors import InputError
from workers.gate_counts.counts import Counts
from workers.gate_counts.digests import entry_digest
from workers.gate_counts.suite import Entry, Key, entry_key, title
from workers.suites import json_mistake

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
