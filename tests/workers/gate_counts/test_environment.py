"""What counts depend on besides the order, and that it is fixed."""

import ast
import os
from pathlib import Path

from workers.gate_counts import environment
from workers.gate_counts.environment import (
    COMPILING,
    FIXED,
    UNSET,
    X86,
    fixed_pool,
    source_digest,
)

ROOM = Path(environment.__file__).parents[1]
NO_MATTER = {
    "workers.parallel", "workers.provenance", "workers.records.tables",
    "workers.records.tables.base", "workers.gate_counts.counts", "workers.events",
    "workers.input_warnings", "workers.sandbox.memory", "workers.sandbox.sandbox",
}  # fmt: skip
"""Other imports of modules that compile: pools, sandboxes, rows, events, clocks and warnings."""


def imports(path):
    """Return the modules of this room that one imports."""
    tree = ast.parse(path.read_text())
    found = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return {name for name in found if name and name.startswith("workers.")}


def test_no_module_that_compiles_is_left_out():
    known = {"workers." + name.removesuffix(".py").replace("/", ".") for name in COMPILING}
    imported = set().union(*(imports(ROOM / name) for name in COMPILING))
    assert imported - known <= NO_MATTER


def copy_of_room(folder):
    """Make a small tree that the digest can be taken of."""
    for name in COMPILING:
        path = folder / "workers" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a = 1\n")
    (folder / "compiler" / "lowering").mkdir(parents=True)
    (folder / "compiler" / "lowering" / "mine.py").write_text("b = 2\n")
    (folder / "compiler" / "iqm.toml").write_text("c = 3\n")
    (folder / "games").mkdir()
    (folder / "games" / "own.py").write_text("g = 4\n")
    (folder / "compiler" / "notes.txt").write_text("d\n")
    (folder / "workers" / "clock.py").write_text("e = 5\n")
    return folder


def test_the_digest_is_of_what_compiles(tmp_path, monkeypatch):
    root = copy_of_room(tmp_path)
    monkeypatch.setattr(environment, "__file__", str(root / "workers/gate_counts/environment.py"))

    def digest():
        return source_digest.__wrapped__()

    seen = [digest()]
    assert digest() == seen[0]
    for name in ("compiler/notes.txt", "workers/clock.py"):
        (root / name).write_text("changed")
        assert digest() == seen[0]
    for name in (
        "compiler/lowering/mine.py",
        "compiler/iqm.toml",
        "games/own.py",
        "workers/compilation/orders.py",
    ):
        (root / name).write_text("changed")
        seen.append(digest())
    (root / "compiler/lowering/new.py").touch()
    seen.append(digest())
    monkeypatch.setattr(environment, "entry_points", lambda group: ())
    seen.append(digest())
    assert len(set(seen)) == len(seen)


def test_processes_are_alike_and_this_one_is_left_as_it_was(monkeypatch):
    monkeypatch.setenv("QISKIT_SABRE_ALL_THREADS", "1")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    before = dict(os.environ)
    with fixed_pool(2) as pool:
        names = [*FIXED, *X86, *UNSET]
        found = list(pool.map(os.getenv, names))
        hashes = set(pool.map(hash, ["skat"] * 8))
    assert dict(os.environ) == before
    expected = {**X86, **FIXED} if found[len(FIXED)] else FIXED
    assert dict(zip(names, found, strict=True)) == {name: expected.get(name) for name in names}
    assert len(hashes) == 1
