"""Standard benchmarks of hardware: circuits for a device, and figures from their counts."""

from compiler.scores.standard.benchmark import (
    Benchmark,
    Couplings,
    Figure,
    Figures,
    NotApplicableError,
    Run,
    benchmarks,
)

__all__ = ["Benchmark", "Couplings", "Figure", "Figures", "NotApplicableError", "Run", "benchmarks"]
