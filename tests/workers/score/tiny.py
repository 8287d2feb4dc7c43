"""A suite that takes no time, in a folder of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from workers.score import suite

TINY = ("tiny.toml", "tiny-standard.toml", "tiny-timed.toml")


@contextmanager
def tiny_suite(folder: Path) -> Iterator[None]:
    """Let the suites of this folder be the only ones."""
    folder.mkdir()
    for name in TINY:
        (folder / name).write_text(Path(__file__).with_name(name).read_text())
    suite.suite_named.cache_clear()
    with patch.object(suite, "SUITES", folder):
        yield
    suite.suite_named.cache_clear()
