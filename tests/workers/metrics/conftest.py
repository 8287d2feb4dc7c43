"""Fixtures of the tests of metrics."""

import pytest


@pytest.fixture
def engine(each_engine):
    """An empty database of each kind."""
    return each_engine
