"""Replay of a run from a bundle: its circuit is compared, its counts are scored again.

A bundle may be written by an attacker. Circuits and programs are read in a process with bounded
memory and time, and QPY only in versions without code: older versions hold formulas for an
evaluator, or pickles.
"""

import math
from collections.abc import Mapping
from typing import Any

from attrs import asdict, field, frozen

from backends import LocalBackend, backend_from_spec
from compiler.errors import InputError, StichwerkError
from compiler.formats.circuit_files import read_qpy
from compiler.native_digest import native_digest
from compiler.targets.device import carried, device_from_content, make_known
from compiler.targets.readout import ReadoutError
from compiler.words.run_options import RunOptions
from games.sources import SUFFIXES, Source
from workers.bundles.writing import parsed
from workers.records.tables import Candidate, Compilation, Job
from workers.sandbox import sandbox
from workers.scoring import scored
from workers.settings import Settings
from workers.stages.context import StoredCircuit, simulate

QPY_WITHOUT_CODE = 13
"""From this version of QPY on, formulas are lists of operations."""

CLOSE = 1e-6
"""Relative; for scores that a solver has found, which other libraries round differently."""


@frozen
class Replayed:
    """The result of replaying one job.

    Args:
        job: its number.
        program: its name.
        backend: on which it was run.
        circuit: whether the circuit's digest is the one that was recorded.
        scores: by kind, whether they equal the recorded ones.
        run_again: whether a run with the same seed gave the same counts; None without such a run.
    """

    job: int
    program: str
    backend: str
    circuit: bool
    scores: dict[str, bool]
    run_again: bool | None

    @property
    def same(self) -> bool:
        """Return whether all of it is as it was recorded."""
        return self.circuit and all(self.scores.values()) and self.run_again is not False


@frozen
class BundledJob:
    """A job of a bundle, with the files that it names."""

    said: Mapping[str, Any]
    source: Source
    native: bytes
    errors: Mapping[int, ReadoutError]
    target: str = field(converter=carried)


def replay(
    files: Mapping[str, bytes], set_: Settings, *, run: bool, only: int | None = None
) -> list[Replayed]:
    """Check and score all jobs of a bundle again, or one of them.

    Args:
        files: of the bundle, see `workers.bundles.writing.read_bundle`.
        set_: with the memory and seconds that each may take.
        run: whether simulators run the circuits again, too.
        only: the number of a job.

    Raises:
        InputError: if a job's file makes no sense, or is too much to be read.
    """
    names = [name for name in files if name.startswith("jobs/")]
    if only is not None:
        names = [name for name in names if name == f"jobs/{only}.json"]
    if not names:
        raise InputError("the bundle has no such job" if only else "the bundle has no job")
    return [_replayed(name, files, set_, run) for name in sorted(names, key=_number)]


def _replayed(name: str, files: Mapping[str, bytes], set_: Settings, run: bool) -> Replayed:
    try:
        bundled = _bundled_job(parsed(files[name], name), files)
        record = bundled.said
        backend = backend_from_spec(record["backend"]) if run else None
        if run and not isinstance(backend, LocalBackend):
            raise InputError(
                f"'{record['backend']}' is no simulator, and a bundle runs nothing that costs; "
                "replay without --run"
            )
        circuit, scores = _bounded(set_, rescored, bundled)
        same_circuit = circuit == record["circuit_digest"]
        again = None
        if isinstance(backend, LocalBackend):
            stored = StoredCircuit(
                bundled.native, bundled.source.name, bundled.target, record["shots"],
                record["seed"],
                record["chosen_verified"] == "sampled", RunOptions.from_json(record["run_options"]),
            )  # fmt: skip
            counts = _bounded(set_, simulate, backend, stored, sandbox.most_bytes(set_))
            again = {str(bits): n for bits, n in counts.items() if n} == record["counts"]
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise InputError(f"{name}: makes no sense: {type(error).__name__}: {error}") from error
    except StichwerkError as error:
        raise InputError(f"{name}: {error}") from error
    recorded = record["scores"]
    if recorded.keys() != scores.keys():
        raise InputError(f"{name}: has scores of other kinds than its counts give")
    return Replayed(
        record["job"],
        record["program"],
        record["backend"],
        same_circuit,
        {kind: _equal(recorded[kind], scores[kind], kind) for kind in scores},
        again,
    )


def rescored(bundled: BundledJob) -> tuple[str, dict[str, Any]]:
    """Return the digest of a job's circuit, and its scores by kind; called in another process."""
    record = bundled.said
    native = read_qpy(bundled.native, bundled.source.name)
    compilation = Compilation(
        program=bundled.source.name,
        source=bundled.source.content,
        expected=bundled.source.expected or None,
        encoding=record["encoding"],
        candidates=[Candidate(native=bundled.native, chosen=True)],
    )
    job = Job(compilation=compilation, shots=record["shots"], counts=record["counts"])
    return native_digest(native), {
        row.kind: asdict(row.score) for row in scored(job, bundled.errors)
    }


def _bundled_job(record: dict[str, Any], files: Mapping[str, bytes]) -> BundledJob:
    """Return a job of a bundle, after checking names and contents of its files."""
    for key, kind in (("job", int), ("shots", int), ("seed", int), ("program", str),
                      ("backend", str), ("target", str), ("encoding", str), ("counts", dict),
                      ("scores", dict), ("circuit", str)):  # fmt: skip
        if type(record[key]) is not kind:
            raise InputError(f"{key} = {record[key]!r}"[:80] + f": must be of type {kind.__name__}")
    counts = record["counts"].items()
    if any(type(n) is not int or n < 1 or not bits.isdecimal() for bits, n in counts):
        raise InputError("counts: must be positive numbers by outcomes in decimal")
    if sum(record["counts"].values()) != record["shots"]:
        raise InputError(f"counts: do not add up to {record['shots']} shots")
    content = files[record["source"]] if record["source"] else b""
    expected = files[record["expected"]] if record["expected"] else b""
    source = Source(record["program"], content, expected)
    if content and not source.name.endswith(SUFFIXES):
        raise InputError(f"{source.name[:80]!r} is no name of a program's file")
    if source.name.endswith(".qpy"):
        _check_qpy(content)
    native = files[record["circuit"]]
    _check_qpy(native)
    parsed(files[record["target_snapshot"]], record["target_snapshot"])
    snapshot = device_from_content(files[record["target_snapshot"]])
    spec = record["target"]
    if record["is_device"] and make_known(snapshot) != spec:
        raise InputError(f"the device in it is not '{spec}'")
    errors = {
        place: ReadoutError(qubit.one_for_zero, qubit.zero_for_one)
        for place, qubit in enumerate(snapshot.qubits)
        if qubit.one_for_zero is not None and qubit.zero_for_one is not None
    }
    return BundledJob(record, source, native, errors if record["reads_with_errors"] else {}, spec)


def _check_qpy(content: bytes) -> None:
    """Refuse QPY that might hold code.

    Raises:
        InputError: if it does, or is no QPY.
    """
    if content[:6] != b"QISKIT" or len(content) < 20:
        raise InputError("a circuit in it is no QPY")
    version = content[6]
    if version < QPY_WITHOUT_CODE:
        raise InputError(
            f"a circuit in it is QPY of version {version}, which may hold code; "
            f"from {QPY_WITHOUT_CODE} on they are read"
        )


def _bounded(set_: Settings, function: Any, *arguments: object) -> Any:
    try:
        return sandbox.shared_sandbox().call(
            function,
            *arguments,
            most_bytes=sandbox.most_bytes(set_),
            seconds=set_.simulation_seconds,
            attend=lambda: None,
        )
    except (sandbox.CallDiedError, sandbox.OverdueError, sandbox.TooMuchMemoryError) as error:
        raise InputError(f"is too much to be read or run: {error}") from error


def _equal(recorded: object, replayed: object, kind: str) -> bool:
    if isinstance(recorded, dict) and isinstance(replayed, dict):
        return recorded.keys() == replayed.keys() and all(
            _equal(recorded[name], replayed[name], kind) for name in replayed
        )
    if isinstance(recorded, float) and isinstance(replayed, float) and kind.startswith("mitigated"):
        return math.isclose(recorded, replayed, rel_tol=CLOSE, abs_tol=CLOSE)
    return recorded == replayed


def _number(name: str) -> tuple[int, str]:
    return len(name), name
