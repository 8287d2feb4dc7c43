"""Operators that exist in tests only."""

import pytest

from compiler.synthesis.method import methods, operators


@pytest.fixture(autouse=True)
def only_here():
    """Forget what a test registers."""
    before = set(operators), set(methods)
    yield
    for registry, names in zip((operators, methods), before, strict=True):
        for name in set(registry) - names:
            registry.unregister(name)
