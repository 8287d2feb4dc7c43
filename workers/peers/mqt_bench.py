"""The circuits of MQT Bench, an optional package, as the user's own circuits."""

from collections.abc import Callable
from importlib import import_module

from qiskit import QuantumCircuit

from compiler.dynamic.pieces import is_dynamic
from compiler.errors import InputError
from compiler.formats.circuit_files import qpy_bytes
from compiler.formats.plain_gates import plain
from workers.peers.subjects import Kind, Subject

NAME = "mqt-bench"
QUBITS = 10
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
    size = suite.removeprefix(NAME).removeprefix(":") or str(QUBITS)
    if not size.isdecimal() or not 2 <= int(size) <= 1000:
        raise InputError(f"suite '{suite}': {size} is no number of qubits; write {NAME}:16")
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
            subjects.append(_subject(f"{NAME}/{name}-{qubits}.qpy", circuit))
            break
        else:
            left_out(f"{NAME}/{name}: {reasons[0]}")
    return subjects


def _subject(name: str, circuit: QuantumCircuit) -> Subject:
    kind = Kind.DYNAMIC if is_dynamic(circuit) else Kind.CIRCUIT
    return Subject(kind, name, content=qpy_bytes(circuit))
