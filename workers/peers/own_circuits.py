"""The user's own circuits and those of MQT Bench, side by side like those of a suite."""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from qiskit import QuantumCircuit
from qiskit.circuit import Reset

from compiler.dynamic.pieces import is_dynamic
from compiler.errors import InputError
from compiler.formats.circuit_files import qpy_bytes
from compiler.formats.parameter_values import unbound
from compiler.formats.plain_gates import plain
from compiler.targets import sized_spec
from games.sources import read_program
from workers.peers.subjects import Form, Kind, Subject
from workers.peers.trials import Case, target_of
from workers.untrusted_programs.files import circuit_files, read_source_file

OWN = "own"
"""The suite that they are."""

LONGEST_NAME = 200
MAX_CIRCUITS = 10_000


def own_subjects(paths: Sequence[str], left_out: Callable[[str], None]) -> list[Subject]:
    """Return the circuits of files and folders, each file once.

    Args:
        paths: of `.qasm` and `.qpy` files, and of folders in which all such files are taken.
        left_out: hears of the files that cannot be read.

    Raises:
        InputError: if there are none that can be read.
    """
    files = list(dict.fromkeys(file for path in paths for file in circuit_files(Path(path))))
    if len(files) > MAX_CIRCUITS:
        raise InputError(f"{len(files):,} circuits are more than {MAX_CIRCUITS:,}")
    subjects, errors = [], []
    for file in files:
        try:
            subjects.append(_subject(file))
        except InputError as error:
            errors.append(error)
    for reason in errors[: len(files) - 1]:
        left_out(str(reason))
    if not subjects:
        raise errors[-1]
    return subjects


def own_cases(
    subjects: Sequence[Subject], targets: Sequence[str], left_out: Callable[[str], None]
) -> list[Case]:
    """Return circuits on targets.

    Args:
        subjects: the circuits.
        targets: specs, complete or without their size.
        left_out: hears of those that do not fit on a target.

    Raises:
        InputError: if none fits on any.
    """
    cases = []
    for subject in subjects:
        qubits = subject.program().num_qubits
        for spec in targets:
            sized = sized_spec(spec, max(2, qubits))
            available = target_of(sized).num_qubits
            if available < qubits:
                left_out(f"{subject.name} needs {qubits} qubits, target '{sized}' has {available}")
            else:
                cases.append(Case(OWN, subject, Form.GIVEN, sized))
    if not cases:
        raise InputError("no circuit fits on any of the targets; name a larger one with --target")
    return cases


def _subject(file: Path) -> Subject:
    source = read_source_file(file)
    circuit = read_program(source).circuit
    if names := unbound(circuit):
        raise InputError(f"{file}: parameters without values: {names}; compare it with values")
    resets = any(isinstance(item.operation, Reset) for item in circuit.data)
    kind = Kind.DYNAMIC if resets or is_dynamic(circuit) else Kind.CIRCUIT
    return Subject(kind, file.as_posix()[-LONGEST_NAME:], content=source.content)


MQT_BENCH = "mqt-bench"
BENCH_QUBITS = 10
SMALLER = 3
"""Qubits fewer that a circuit may have, as some exist for certain sizes only."""


def mqt_bench_subjects(suite: str, left_out: Callable[[str], None]) -> list[Subject]:
    """Return every circuit of MQT Bench, parameters bound at random by the package.

    Args:
        suite: `mqt-bench`, or `mqt-bench:N` for another size than 10 qubits.
        left_out: hears of those that do not exist at this size or up to 3 qubits fewer.

    Raises:
        InputError: if the size is no number, or the package is missing.
    """
    size = suite.removeprefix(MQT_BENCH).removeprefix(":") or str(BENCH_QUBITS)
    if not size.isdecimal() or not 2 <= int(size) <= 1000:
        raise InputError(f"suite '{suite}': {size} is no number of qubits; write {MQT_BENCH}:16")
    try:
        bench, circuits = import_module("mqt.bench"), import_module("mqt.bench.benchmarks")
    except ImportError:
        raise InputError(
            f"suite '{suite}': package mqt.bench is missing; pip install mqt.bench"
        ) from None
    subjects = []
    for name in circuits.get_available_benchmark_names():
        reasons = list[str]()
        for qubits in range(int(size), max(1, int(size) - SMALLER - 1), -1):
            try:
                circuit = plain(bench.get_benchmark_alg(name, qubits))
            except Exception as error:  # noqa: BLE001 - third-party code may raise anything
                reasons.append(" ".join(str(error).split()))
                continue
            subjects.append(_bench_subject(f"{MQT_BENCH}/{name}-{qubits}.qpy", circuit))
            break
        else:
            left_out(f"{MQT_BENCH}/{name}: {reasons[0]}")
    return subjects


def _bench_subject(name: str, circuit: QuantumCircuit) -> Subject:
    kind = Kind.DYNAMIC if is_dynamic(circuit) else Kind.CIRCUIT
    return Subject(kind, name, content=qpy_bytes(circuit))
