"""What is answered of what a job brought back."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from workers.records.tables import Job

if TYPE_CHECKING:
    from qiskit import QuantumCircuit


def result_answer(job: Job) -> dict[str, Any]:
    """Return the counts and the scores of a job that is done, then its compilation's figures.

    The keys of `counts` are bitstrings with classical bit 0 on the right, as Qiskit writes them,
    but without a space between registers, whose bits `registers` tells; those of `outcomes` are
    what the bits stand for, such as the cards' owners, or `illegal`.
    """
    from compiler.measurement import registers_of
    from games.sources import read_program
    from service.answers.compilations import compilation_answer
    from workers.compilation.compiling import source_of
    from workers.scoring import counts_of

    program = read_program(source_of(job.compiled), job.compiled.encoding)
    counts, scores = counts_of(job), scores_of(job)
    return {
        "counts": bitstrings(counts, program.circuit.num_clbits),
        "registers": registers_of(program.circuit),
        "outcomes": program.named_outcomes(counts),
        "scores": _selected(scores, "raw", "post_selected"),
        "job": job.id,
        "backend": job.backend,
        "shots": job.shots,
        "unscored": job.compiled.unscored,
        "mitigated_scores": _selected(scores, "mitigated", "mitigated_post_selected"),
        "estimated_cost_usd": str(job.estimated_cost_usd or 0),
        "run_seconds": job.run_seconds,
        **compilation_answer(job.compiled),
    }


def recorded_answer(job: Job) -> dict[str, Any]:
    """Return of a job's result what can be told without reading its program."""
    return {
        "id": job.id,
        "program": job.program,
        "target": job.target,
        "backend": job.backend,
        "shots": job.shots,
        "scores": scores_of(job),
        "unscored": job.compiled.unscored,
    }


def scores_of(job: Job) -> dict[str, dict[str, Any]]:
    """Return a job's scores by kind, none before it is scored and where nobody can."""
    return {row.kind: row.figures for row in job.scores}


def bitstrings(counts: Mapping[int, int], bits: int) -> dict[str, int]:
    """Return shots by bitstring, classical bit 0 on the right, in the order of these numbers."""
    return {format(measured, f"0{bits}b"): n for measured, n in sorted(counts.items())}


def register_order(circuit: "QuantumCircuit") -> str:
    """Return how bitstrings are read where a circuit has several registers; else nothing."""
    from compiler.measurement import registers_of

    registers = registers_of(circuit)
    listed = [place for bits in registers.values() for place in bits]
    if len(registers) < 2 or listed != list(range(circuit.num_clbits)):
        return ""
    widths = (f"{name}[{len(bits)}]" for name, bits in reversed(registers.items()))
    return f"; from the left: {', '.join(widths)}"


def _selected(
    scores: Mapping[str, dict[str, Any]], kind: str, selected: str
) -> dict[str, Any] | None:
    return scores[kind] | {"post_selected": scores.get(selected)} if kind in scores else None
