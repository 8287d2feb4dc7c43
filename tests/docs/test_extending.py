"""The examples of docs/extending.md work as they stand there: one file each."""

import re
import subprocess
import sys
from pathlib import Path

TEXT = (Path(__file__).parents[2] / "docs/extending.md").read_text()
GAME = """
from compiler.compilation import Options, compile
from compiler.scores.scoring import score
from games.sources import Source, read_program

program = read_program(Source("coin"))
compiled = compile(program, "all", Options("fast"))
assert compiled.verified == "exact"
raw, _ = score(program, {0: 300, 1: 700})
heads = raw.observables["heads"]
assert (heads.measured, heads.exact) == (0.7, 0.5)
assert heads.low < 0.7 < heads.high < 0.75
assert program.judge.describe(1) == "heads"
"""
TARGET = """
from compiler.targets import target_from_spec

edges = target_from_spec("ring:6").build_coupling_map().get_edges()
assert {frozenset(edge) for edge in edges} == {frozenset({q, (q + 1) % 6}) for q in range(6)}
"""
PIPELINE = """
from compiler.compilation import Options, compile
from games import encoded, named_game

options = Options("cheapest", pipelines=("quick",), seeds=1)
compiled = compile(encoded(named_game("skat-4"), "lean"), "star", options)
assert compiled.verified == "exact"
assert compiled.chosen.attempt.pipeline == "quick"
assert "identities" in [step.name for step in compiled.chosen.steps]
"""
BACKEND = """
from qiskit import QuantumCircuit

from backends import CircuitJob, backend_from_spec

assert backend_from_spec("zeros").run(CircuitJob(QuantumCircuit(1, 1), "all:1", 7, 0)) == {0: 7}
"""
OPERATOR = """
from compiler.errors import VerificationError
from compiler.lowering.methods import lower_operators
from compiler.synthesis.method import predictions
from compiler.verification.operators import (
    verify_methods, verify_operator, verify_specification,
)
from games.cost_table import operator_costs

for turns in (1, 2):
    gate = NextSeat(turns)
    assert verify_specification(gate) == 3
    assert verify_methods(gate) == {"swaps": 3}
    assert predictions(gate) == {"swaps": 2 * turns}
program = QuantumCircuit(2)
program.append(NextSeat(2), [0, 1])
lowered = lower_operators(program, "cheapest")
assert sum(lowered.count_ops().values()) == 4
assert verify_operator(NextSeat(2), lowered) == 3
try:
    verify_operator(NextSeat(1), lowered)
except VerificationError as error:
    assert "next_seat(1,): input 0x00 gives amplitudes that are off by 1.4" in str(error)
else:
    raise AssertionError("two turns are not one")
assert "next of three seats" in [cost.operator for cost in operator_costs(largest=0)]
"""


EXAMPLES = {
    "A game with its judge, an encoding and observables": GAME,
    "A target": TARGET,
    "A pass and a pipeline": PIPELINE,
    "A backend": BACKEND,
    "An operator with a synthesis method": OPERATOR,
}


def test_the_examples_work(tmp_path):
    """In one process, which imports everything once; each has names of its own."""
    for number, (heading, then) in enumerate(EXAMPLES.items()):
        [code] = re.findall(rf"## {heading}\n.*?```python\n(.*?)```", TEXT, re.DOTALL)[:1]
        (tmp_path / f"own{number}.py").write_text(code + then)
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", f"for n in range({len(EXAMPLES)}): __import__(f'own{{n}}')"],
        cwd=tmp_path, env={"PYTHONPATH": str(root), "PATH": "", "HOME": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
