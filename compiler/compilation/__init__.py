"""Compiling: from a program and a target to a native circuit that is proven."""

from compiler.compilation.compile import Candidate, Compiled, compile
from compiler.compilation.options import Options

__all__ = ["Candidate", "Compiled", "Options", "compile"]
