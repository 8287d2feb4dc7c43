"""Qiskit's entry points in pyproject.toml are those of the registries."""

import tomllib
from pathlib import Path

import pytest

import games
from compiler.synthesis.entry_points import entry_points, with_entry_points
from compiler.synthesis.method import GROUP, methods
from compiler.synthesis.operator import operators
from games.operators import all_operators

TEXT = (Path(games.__file__).parents[1] / "pyproject.toml").read_text()


def test_pyproject_holds_what_is_registered():
    """`python tools/entry_points.py` writes them."""
    all_operators()
    held = tomllib.loads(TEXT)["project"]["entry-points"][GROUP]
    assert held == dict(entry_points())
    assert set(held) == set(methods) | {f"{name}.default" for name in operators}


def test_the_table_is_written_anew(qutrits):
    written = with_entry_points(TEXT)
    held = tomllib.loads(written)["project"]["entry-points"][GROUP]
    assert (
        held["shift.swap"]
        == "compiler.plugins.synthesis:at.tests.compiler.synthesis.conftest.SwapShift"
    )
    assert held["fourier.default"].endswith("conftest.Fourier")
    assert held["hand_play.move"].endswith("hand_play.OneCardHandPlay")
    assert written.startswith(TEXT.partition(f'"{GROUP}"]\n')[0])
    assert written.endswith(TEXT[TEXT.index("# In the locks") :])


def test_a_file_without_the_table_is_refused():
    with pytest.raises(ValueError, match=r"write \[project\.entry-points"):
        with_entry_points("[project]\n")
