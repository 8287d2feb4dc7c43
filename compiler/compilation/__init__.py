"""Compiling: from a program and a target to a native circuit that is proven."""

from compiler.compilation.candidate import Candidate
from compiler.compilation.listener import Listener
from compiler.compilation.options import Options
from compiler.compilation.portfolio import Compiled, compile

__all__ = ["Candidate", "Compiled", "Listener", "Options", "compile"]
