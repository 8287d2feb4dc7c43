"""Tests, one folder a room; a package, because `python -m tests.chaos` runs a part of them."""
