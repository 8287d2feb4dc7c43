"""Tests of the migrations migrate."""

import pytest


@pytest.fixture(autouse=True)
def migrated_once() -> None:
    """Copy no tables: what makes them is what is tested here."""
