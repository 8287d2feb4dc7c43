"""Compiling: from a program and a target to a native circuit that is proven."""

from compiler.compilation.options import Options
from compiler.compilation.portfolio import Candidate, Compiled, compile

__all__ = ["Candidate", "Compiled", "Options", "compile"]
