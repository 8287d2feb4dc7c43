"""A suite that takes no time, in a folder of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from workers.score import suite

TINY = '''suite = "tiny"
title = "a toy and three qubits"
method = "fast"
objective = "two_qubit_gates"
seed = 0

[[part]]
name = "skat-4"
family = "card games"
weight = 1
program = "skat-4"
encoding = "lean"
shots = 200

[[part]]
name = "flip"
family = "dynamic circuits"
weight = 1
shots = 100
program = """
OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q;
bit[2] c;
h q[0];
c[0] = measure q[0];
if (c[0]) { x q[1]; }
c[1] = measure q[1];
"""
[part.expect]
00 = 1
11 = 1
'''


@contextmanager
def tiny_suite(folder: Path) -> Iterator[None]:
    """Let `tiny` be the only suite that there is."""
    folder.mkdir()
    (folder / "tiny.toml").write_text(TINY)
    suite.suite_named.cache_clear()
    with patch.object(suite, "SUITES", folder):
        yield
    suite.suite_named.cache_clear()
