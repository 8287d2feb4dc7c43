"""What is answered of a compilation."""

from typing import Any

from compiler.lowering.figures import Figures
from compiler.synthesis.operator import LiteralOperator
from games.sources import read_program
from workers.compilation.compiling import source_of
from workers.records.tables import Candidate, Compilation

FIGURES = tuple(Figures.__annotations__)


def compilation_answer(compilation: Compilation) -> dict[str, Any]:
    """Return the figures of a compilation and of everything that was tried."""
    chosen = compilation.chosen
    return {
        "program": compilation.program,
        "target": compilation.target,
        "method": compilation.method,
        "encoding": compilation.encoding,
        "encodings": compilation.encodings,
        "objective": compilation.objective,
        "seed": compilation.seed,
        "synthesis": chosen.synthesis,
        "pipeline": chosen.pipeline,
        "pipeline_seed": chosen.seed,
        "budget": compilation.budget,
        "without": compilation.without,
        "any_input": compilation.any_input,
        "qubits_saved": compilation.qubits_saved,
        "qubit_chains": compilation.qubit_chains,
        "from_zero": chosen.from_zero,
        "steps": chosen.steps,
        "initial_layout": chosen.initial_layout,
        "final_layout": chosen.final_layout,
        **_figures(chosen),
        "operator_depths": operator_depths(compilation),
        "verified": compilation.verified,
        "verified_detail": chosen.detail,
        "compile_seconds": compilation.compile_seconds,
        "candidates": [
            {
                "synthesis": c.synthesis,
                "pipeline": c.pipeline,
                "seed": c.seed,
                **_figures(c),
                "from_zero": c.from_zero,
                "verified": c.verified,
                "detail": c.detail,
                "lower_seconds": c.lower_seconds,
                "verify_seconds": c.verify_seconds,
                "chosen": c.chosen,
            }
            for c in compilation.candidates
        ],
        "versions": compilation.versions,
        "revision": compilation.revision,
        "record": compilation.id,
    }


def operator_depths(compilation: Compilation) -> list[int] | None:
    """Return the literal depth of each operator of a game's program.

    Any gate counts one layer, as in the papers, and the deal is one gate. None for circuits and
    for encodings whose operators have no literal construction.
    """
    program = read_program(source_of(compilation), compilation.encoding).circuit
    operators = [i.operation for i in program.data if isinstance(i.operation, LiteralOperator)]
    return [operator.declared_depth for operator in operators] or None


def _figures(candidate: Candidate) -> dict[str, Any]:
    return {name: getattr(candidate, name) for name in FIGURES}
