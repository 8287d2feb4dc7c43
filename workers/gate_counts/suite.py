"""The suite's file, `gates.toml`: which programs are counted, and how much may change."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any, Literal

from attrs import evolve, field, frozen
from pydantic import Field

from backends.devices.reading import target_beside
from backends.regular_files import read_regular_file
from compiler.compilation import Options
from compiler.errors import InputError, naming
from compiler.lowering.pipeline import BUDGET, SEEDS
from games import DEFAULT_ENCODING
from games.sources import Source, read_program
from workers.compilation.orders import CompileOrder
from workers.gate_counts.counts import Tolerance
from workers.gate_counts.programs import source_of
from workers.suites import Names, Shared, cases_from_toml

MAX_BYTES = 10_000_000
MAX_ENTRIES = 10_000


class Common(Shared):
    """Options that all cases of a suite share, and each may set for itself."""

    targets: Names = Field(["all"])
    encodings: Names = Field([DEFAULT_ENCODING])
    methods: Names = Field(["best"])
    pipelines: list[str] = Field([])
    without: list[str] = Field([])
    seeds: int = Field(SEEDS, ge=1, le=1000)
    budget: int = Field(BUDGET, ge=1, le=100_000)
    any_input: bool | None = None
    reuse_qubits: bool = False
    expect: Literal["compiled", "refused"] = "compiled"
    tolerance: Tolerance = Tolerance()


class Case(Common):
    """Programs that are compiled for targets in every combination."""

    programs: Names


class SuiteFile(Common):
    """The file: one combination by itself, or several cases."""

    programs: list[str] = Field([])
    case: list[Case] = Field([])


@frozen
class Entry:
    """A program that is compiled once and counted.

    Args:
        program: as the suite's file names it.
        encoding: of a game; `default` for circuits.
        target: as the suite's file names it.
        method: `best`, `fast` or a synthesis.
        options: those that are not the default; and whether the result holds on any input,
            requested or not.
        order: the same, to be carried out.
        tolerance: how much the figures may grow.
        expect: `compiled`, or `refused` if the program is invalid or does not fit on the target.
        refusal: why the program cannot be read; empty if it can.
    """

    program: str
    encoding: str
    target: str
    method: str
    options: dict[str, Any] = field(eq=False)
    order: CompileOrder = field(eq=False)
    tolerance: Tolerance = field(eq=False, factory=Tolerance)
    expect: str = field(eq=False, default="compiled")
    refusal: str = field(eq=False, default="")

    @property
    def key(self) -> "Key":
        """Key of the entry in the baseline."""
        return entry_key(self.program, self.encoding, self.target, self.method, self.options)

    @property
    def title(self) -> str:
        """Name of the entry in messages."""
        return title(self.key)


Key = tuple[str, ...]


def entry_key(
    program: str, encoding: str, target: str, method: str, options: dict[str, Any]
) -> Key:
    """Return the key of an entry in the baseline."""
    return (program, encoding, target, method, *options_text(options))


def title(key: Key) -> str:
    """Return the name of an entry in messages, such as `skat-4, lean on star, best, seeds=1`."""
    program, encoding, target, *options = key
    named = f"{program}, {encoding}" if encoding != DEFAULT_ENCODING else program
    return f"{named} on {target}, {', '.join(options)}"


def holds_on_any_input(key: Key) -> bool:
    """Return whether the counts of an entry hold on any input, and not from |0…0⟩ only."""
    return "any input" in key


def options_text(options: dict[str, Any]) -> tuple[str, ...]:
    """Return options as texts such as `seeds=1` and `any input`, in alphabetical order."""
    return tuple(
        name.replace("_", " ")
        if value is True
        else f"{name}={'+'.join(value) if isinstance(value, list) else value}"
        for name, value in sorted(options.items())
    )


def read_suite(path: Path) -> list[Entry]:
    """Read a suite; its files are looked for in its own folder.

    Raises:
        InputError: with the fault.
    """
    try:
        text = read_regular_file(path, MAX_BYTES).decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or getattr(error, "reason", None)
        raise InputError(f"{path}: the suite cannot be read: {reason}") from error
    return suite_from_toml(text, path)


def suite_from_toml(text: str, path: Path) -> list[Entry]:
    """Return the entries of a suite in the order of its file.

    Args:
        text: of the file.
        path: of the file, for messages and for the files that it names.

    Raises:
        InputError: with the fault.
    """
    _, cases = cases_from_toml(text, str(path), SuiteFile, Case)
    entries: dict[Key, Entry] = {}
    for case in cases:
        for entry in _entries(case, path):
            if entry.key in entries:
                raise InputError(f"{path}: {entry.title} is named twice")
            entries[entry.key] = entry
            if len(entries) > MAX_ENTRIES:
                raise InputError(f"{path}: more than {MAX_ENTRIES} entries")
    return list(entries.values())


def _entries(case: Case, path: Path) -> Iterator[Entry]:
    options = _options(case)
    settings: dict[str, Any] = {**options, "any_input": case.any_input}
    # By its file's name: with another calibration of the device it is still the same entry.
    targets = {target_beside(target, path.parent): target for target in case.targets}
    for program in case.programs:
        refusal = ""
        try:
            source = source_of(program, path.parent)
        except InputError as error:
            source, refusal = Source(program), str(error)
        for encoding, target, method in product(case.encodings, targets, case.methods):
            with naming(path, InputError):
                order = CompileOrder(source, target, Options(method, **settings), encoding)
            order = _settled(order)
            held = {"any_input": True} if order.options.any_input else {}
            options_ = dict(sorted({**options, **held}.items()))
            yield Entry(
                program,
                order.encoding,
                targets[order.target],
                order.options.method,
                options_,
                order,
                case.tolerance,
                case.expect,
                refusal,
            )


def _settled(order: CompileOrder) -> CompileOrder:
    """Return an order of a circuit for any input, unless the suite or the circuit says otherwise.

    From |0…0⟩ a circuit may lose most of its gates, so that its counts would say little. Circuits
    that begin with resets, or use qubits again, have no other input.
    """
    if order.options.any_input is not None or not order.source.is_circuit:
        return order
    resets = False
    # An invalid program is reported with all others of the suite.
    with suppress(InputError):
        resets = read_program(order.source, order.encoding).resets
    any_input = not (resets or order.options.reuse_qubits)
    return evolve(order, options=evolve(order.options, any_input=any_input))


def _options(case: Case) -> dict[str, Any]:
    """Return the options that differ from the defaults."""
    options = case.model_dump(
        include={"pipelines", "without", "objective", "seed", "seeds", "budget", "reuse_qubits"},
        exclude_defaults=True,
    )
    return dict(sorted(options.items()))
