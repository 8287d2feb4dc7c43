"""What `--json` prints of a compilation and of a job."""

from collections.abc import Mapping
from typing import Any

from compiler.lowering.figures import Figures
from compiler.program import Program
from compiler.synthesis.operator import LiteralOperator
from games.sources import read_program
from workers.compilation.compiling import source_of
from workers.records.tables import Candidate, Compilation, Job
from workers.scoring import counts_of

FIGURES = tuple(Figures.__annotations__)
ILLEGAL = "illegal"


def compilation_answer(compilation: Compilation) -> dict[str, Any]:
    """Return the figures of a compilation and of everything that was tried."""
    chosen = compilation.chosen
    return {
        "program": compilation.program,
        "target": compilation.target,
        "method": compilation.method,
        "encoding": compilation.encoding,
        "objective": compilation.objective,
        "seed": compilation.seed,
        "synthesis": chosen.synthesis,
        "pipeline": chosen.pipeline,
        "pipeline_seed": chosen.seed,
        "budget": compilation.budget,
        "without": compilation.without,
        "any_input": compilation.any_input,
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


def job_answer(job: Job) -> dict[str, Any]:
    """Return the counts and the scores of a job that is done, then its compilation's figures.

    The keys of `counts` are bitstrings with classical bit 0 on the right, as Qiskit writes them;
    those of `outcomes` are what the bits stand for, such as the cards' owners, or `illegal`.
    """
    program = read_program(source_of(job.compiled), job.compiled.encoding)
    bits, counts = program.circuit.num_clbits, counts_of(job)
    scores = {row.kind: row.figures for row in job.scores}
    return {
        "job": job.id,
        "backend": job.backend,
        "shots": job.shots,
        "counts": {format(measured, f"0{bits}b"): n for measured, n in sorted(counts.items())},
        "outcomes": _outcomes(program, counts),
        "scores": _selected(scores, "raw", "post_selected"),
        "unscored": job.compiled.unscored,
        "mitigated_scores": _selected(scores, "mitigated", "mitigated_post_selected"),
        "estimated_cost_usd": str(job.estimated_cost_usd or 0),
        "run_seconds": job.run_seconds,
        **compilation_answer(job.compiled),
    }


def _selected(
    scores: Mapping[str, dict[str, Any]], kind: str, selected: str
) -> dict[str, Any] | None:
    return scores[kind] | {"post_selected": scores.get(selected)} if kind in scores else None


def _outcomes(program: Program, counts: Mapping[int, int]) -> dict[str, int] | None:
    judge = program.judge
    if judge is None or program.is_circuit:
        return None
    found = program.outcomes(counts)
    labels = {o: ILLEGAL if o is None else judge.describe(o) for o in found}
    return {labels[o]: n for o, n in sorted(found.items(), key=lambda item: labels[item[0]])}


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
