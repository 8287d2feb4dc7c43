"""Public benchmark circuits: what other compilers are measured with, generated and not stored."""

import sys

from compiler.benchmarks.benchmark import Benchmark, benchmark, benchmark_circuit, benchmarks
from compiler.registry import discover

__all__ = ["Benchmark", "benchmark", "benchmark_circuit", "benchmarks"]

discover(sys.modules[__name__])
