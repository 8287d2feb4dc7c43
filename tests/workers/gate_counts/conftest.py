"""A suite of one small circuit, and counts that were never compiled."""

from pathlib import Path

import pytest

GHZ = """OPENQASM 2.0;
include "qelib1.inc";
qreg q[3];
creg c[3];
h q[0];
cx q[0], q[1];
cx q[1], q[2];
measure q -> c;
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a circuit."""
    (tmp_path / "ghz.qasm").write_text(GHZ)
    return tmp_path
