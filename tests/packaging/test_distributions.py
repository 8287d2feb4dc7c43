"""The wheel and the source distribution hold what is needed, and what they install works."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("stichwerk", "compiler", "games", "backends", "workers", "play", "service")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folders of a source distribution, of the wheel built from it, and where it was unpacked.

    They are built from a copy of what git has, so that the checkout keeps no trace of it.
    """
    folder = tmp_path_factory.mktemp("built")
    source = folder / "source"
    for name in tracked():
        copy = source / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy)
    build("sdist", source, folder)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        files.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    build("wheel", unpacked, folder)
    return folder


def tracked(*folders):
    """Return the files that git has, or would have, below folders of the checkout."""
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *folders]
    names = subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [name for name in names.splitlines() if (ROOT / name).is_file()]


def build(kind, source, into):
    """Build a distribution with setuptools, as installers ask it to."""
    code = f"from setuptools import build_meta; build_meta.build_{kind}({str(into)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=source, check=True, capture_output=True)


def test_the_wheel_from_the_source_distribution_has_every_file_of_the_rooms(built):
    (wheel,) = built.glob("*.whl")
    held = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == set(tracked(*ROOMS))


@pytest.mark.full
def test_the_wheel_works_in_an_empty_environment(built):
    (wheel,) = built.glob("*.whl")
    variables = os.environ | {"PYTHON": getattr(sys, "_base_executable", sys.executable)}
    ran = subprocess.run(
        [ROOT / ".ci" / "wheel", wheel], env=variables, check=False, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert "2 two-qubit gates on star:5, proven exact" in ran.stdout
