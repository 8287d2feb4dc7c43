"""A suite that takes no time, in a folder of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from workers.score import suite

TINY = Path(__file__).with_name("tiny.toml").read_text()


@contextmanager
def tiny_suite(folder: Path) -> Iterator[None]:
    """Let `tiny` be the only suite that there is."""
    folder.mkdir()
    (folder / "tiny.toml").write_text(TINY)
    suite.suite_named.cache_clear()
    with patch.object(suite, "SUITES", folder):
        yield
    suite.suite_named.cache_clear()
