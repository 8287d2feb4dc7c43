"""Games of tricks as users write them in TOML."""

from compiler.registry import discover

discover(__name__)
