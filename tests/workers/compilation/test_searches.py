"""After the searches were compiled once, compilations of programs compile none of them anew."""

import os
import subprocess
import sys

import pytest

from workers.compilation import searches

COUNTED = """
import sys
from numba.core import event

class Compiled(event.Listener):
    def on_start(self, started):
        module = started.data["dispatcher"].py_func.__module__
        if module.startswith(("compiler.", "games.")):
            print("COMPILED", module, started.data["dispatcher"].py_func.__name__)
    def on_end(self, ended):
        pass

event.register("numba:compile", Compiled())
from service.cli import main
main(sys.argv[1:])
"""


def run(folder, *words):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run(
        [sys.executable, *words], check=True, capture_output=True, text=True, env=environment
    )
    return [line for line in done.stdout.splitlines() if line.startswith("COMPILED")]


@pytest.mark.full
@pytest.mark.timeout(3600)
def test_no_search_is_compiled_twice(tmp_path):
    cache = tmp_path / "cache"
    run(cache, "-m", searches.__name__)
    database = ("--database", str(tmp_path / "records.sqlite"), "--processes", "1")
    ways = [("all", "fast"), ("star", "fast"), ("heavy-hex:torino", "fast"), ("resonator", "fast")]
    for target, method in ways:
        command = ("compile", "skat-4", "--target", target, "--method", method, *database)
        assert run(cache, "-c", COUNTED, *command) == []
    command = ("compile", "skat-4", "--target", "heavy-hex:torino", "--pipeline", "mirror")
    assert run(cache, "-c", COUNTED, *command, "--seeds", "1", *database) == []
    for game in ("skat-9", "skat-32:known"):
        assert run(cache, "-c", COUNTED, "advise", game, "--deals", "1") == []
    assert run(tmp_path / "other", "-c", COUNTED, "compile", "skat-4", *database) != []
