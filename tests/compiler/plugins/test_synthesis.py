"""Synthesis methods as plug-ins of Qiskit: imported when they are run, not when they are loaded."""

import os
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from qiskit import transpile

from compiler.synthesis.method import GROUP
from games.trick_taking.operators.hand_play import HandPlay

ROOT = Path(__file__).parents[3]
CODE = """
import sys
from qiskit import QuantumCircuit, transpile
from qiskit.transpiler import CouplingMap

circuit = QuantumCircuit(3)
circuit.h(0)
circuit.cx(0, 1)
circuit.cx(0, 2)
lowered = transpile(circuit, coupling_map=CouplingMap.from_line(3), basis_gates=["sx", "rz", "cz"],
                    layout_method="stichwerk", routing_method="stichwerk", seed_transpiler=1)
print(lowered.num_nonlocal_gates(), *(name for name in sys.modules if name.startswith("games")))
"""


def test_a_transpilation_with_the_stages_imports_no_games(tmp_path):
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    installed = tmp_path / "stichwerk-0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: stichwerk\nVersion: 0\n")
    (installed / "entry_points.txt").write_text("".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in tables.items()
    ))  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, check=True, cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout.split() == ["2"]


@pytest.mark.parametrize(
    ("place", "gates"),
    [
        ("games.trick_taking.operators.hand_play.AmplifiedHandPlay", 23),
        ("games.trick_taking.operators.hand_play.HandPlay", 14),
    ],
    ids=["a method", "an operator's cheapest method"],
)
def test_an_entry_builds_by_its_method(place, gates):
    plugin = EntryPoint("name", f"compiler.plugins.synthesis:at.{place}", GROUP).load()()
    circuit = plugin.run(HandPlay(4, 2))
    assert transpile(circuit, basis_gates=["cx", "u"]).num_nonlocal_gates() == gates
