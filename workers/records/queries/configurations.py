"""Configurations: the values by which two compilations, or two runs, are comparable."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve, frozen
from sqlalchemy import Row, SQLColumnExpression, String, cast

from compiler.words.machine_names import calibrated, machine_of
from workers.attributes import build
from workers.records.tables import Compilation

CONFIGURATION_COLUMNS = (
    Compilation.program, Compilation.source_digest, Compilation.target, Compilation.method,
    Compilation.encoding, Compilation.objective, Compilation.without, Compilation.any_input,
    Compilation.qubits_saved,
)  # fmt: skip

CONFIGURATION_KEY: tuple[SQLColumnExpression[Any], ...] = (
    Compilation.program, Compilation.target, Compilation.method, Compilation.encoding,
    Compilation.objective, Compilation.any_input, Compilation.qubits_saved.is_(None),
    # PostgreSQL compares no JSON, but text.
    cast(Compilation.without, String),
)  # fmt: skip
"""Columns by which the compilations of one configuration are grouped; see `CONFIGURATION_COLUMNS`.

Versions of a file under one name are one group.
"""


@frozen
class Configuration:
    """Program, target and method of a compilation.

    Args:
        program: its name; with a part of its digest where several files share the name.
        digest: SHA-256 of the program's source.
        target: spec of the target.
        method: of synthesis and lowering.
        encoding: of a game; `none` for a circuit.
        variant: differences from the defaults; empty if there are none.
    """

    program: str
    digest: str
    target: str
    method: str
    encoding: str
    variant: str

    @property
    def way(self) -> str:
        """Method and options in a few words."""
        parts = [self.method, *([self.encoding] if self.encoding != "none" else []), self.variant]
        return " · ".join(filter(None, parts))


def configuration_of(row: Row[*tuple[Any, ...]]) -> Configuration:
    """Return the configuration of a row that holds `CONFIGURATION_COLUMNS`."""
    from workers.compilation.variant import variant

    reuse = row.qubits_saved is not None
    options = variant(row.objective, row.without, any_input=row.any_input, reuse_qubits=reuse)
    return build(Configuration, row, digest=row.source_digest, variant=options)


def distinct_names(configurations: Iterable[Configuration]) -> dict[str, str]:
    """Return the name of each program, by digest: files of one name may differ."""
    digests: defaultdict[str, set[str]] = defaultdict(set)
    for configuration in configurations:
        digests[configuration.program].add(configuration.digest)
    return {
        digest: name if len(same) == 1 else f"{name} ({digest[:8]})"
        for name, same in digests.items()
        for digest in same
    }


def distinct_targets(specs: Iterable[str]) -> dict[str, str]:
    """Return the name of each target, by its spec.

    A user's own device has its name; where there are several calibrations of it, with their
    difference.
    """
    calibrations: defaultdict[str, set[str]] = defaultdict(set)
    for spec in specs:
        calibrations[machine_of(spec)].add(spec)
    return {
        spec: machine if len(same) == 1 else calibrated(spec)
        for machine, same in calibrations.items()
        for spec in same
    }


def renamed(
    configuration: Configuration, names: Mapping[str, str], targets: Mapping[str, str]
) -> Configuration:
    """Return a configuration whose program and target have their distinct names."""
    return evolve(
        configuration,
        program=names[configuration.digest],
        target=targets.get(configuration.target, configuration.target),
    )
