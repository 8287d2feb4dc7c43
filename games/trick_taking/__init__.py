"""Card games of tricks, in the papers' rules and in those of Skat."""

from compiler.registry import discover

discover(__name__)
