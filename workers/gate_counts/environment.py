"""The environment of a count: packages, our own source, and the settings of processes."""

import os
import platform
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib.metadata import entry_points
from pathlib import Path

from compiler.synthesis.method import GROUP
from workers.parallel import Pool
from workers.provenance import versions

PACKAGES = ("mqt-qcec", "numpy", "pytket-qiskit", "qiskit-qasm3-import", "rustworkx", "scipy")
"""Packages that may change a count, besides those of `workers.provenance`."""

PURE, SOURCES = ("compiler", "games"), (".py", ".toml")
"""Packages whose results follow from their sources alone, and suffixes of sources."""

COMPILING = (
    "attributes.py", "compilation/orders.py", "gate_counts/environment.py",
    "gate_counts/programs.py", "untrusted_programs/files.py",
)  # fmt: skip
"""Modules of this room that decide how an order is carried out."""

FIXED: Mapping[str, str] = {
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "QISKIT_PARALLEL": "FALSE",
    "QISKIT_NUM_PROCS": "1",
    "QISKIT_SETTINGS": os.devnull,
}
"""One order of sets, one order of sums, and no settings of a user."""

X86 = {
    "OPENBLAS_CORETYPE": "Prescott",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3,X86_V4,AVX512_ICL,AVX512_SPR",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F",
}
"""Arithmetic as every x86-64 processor does it, instead of the best for this one.

A last bit that differs can decide between two ways to build a gate, and so change a count.
"""

UNSET = ("QISKIT_SABRE_ALL_THREADS",)
"""With it, SABRE makes as many trials as there are cores."""


@cache
def all_versions() -> dict[str, str]:
    """Return the versions of all that may change a count, and the kind of machine."""
    return {**versions(*PACKAGES), "machine": platform.machine()}


@cache
def source_digest() -> str:
    """Return the SHA-256 of our own code that decides counts, in hexadecimal."""
    root = Path(__file__).parents[2]
    files = {root / "workers" / name for name in COMPILING}
    files |= {path for room in PURE for path in (root / room).rglob("*") if path.suffix in SOURCES}
    digest = sha256()
    for path in sorted(files):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root)} {len(content)}\n".encode() + content)
    for entry in sorted(entry_points(group=GROUP)):
        digest.update(f"{entry.name} {entry.value}\n".encode())
    return digest.hexdigest()


@contextmanager
def fixed_pool(processes: int) -> Iterator[Pool]:
    """Give processes that compile alike on every machine, however many there are.

    They are started when they are first needed, so the settings are in place until the end.
    """
    before = dict(os.environ)
    x86 = X86 if platform.machine() in ("x86_64", "AMD64") else {}
    os.environ.update({**FIXED, **x86})
    for name in UNSET:
        os.environ.pop(name, None)
    try:
        with Pool(processes) as pool:
            yield pool
    finally:
        os.environ.clear()
        os.environ.update(before)
