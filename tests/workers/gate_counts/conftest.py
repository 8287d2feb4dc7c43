"""A suite of one small circuit, and counts that were never compiled."""

from pathlib import Path

import pytest

from tests.workers.conftest import GHZ


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a circuit."""
    (tmp_path / "ghz.qasm").write_bytes(GHZ.content)
    return tmp_path
