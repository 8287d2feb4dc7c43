"""Scores of what a job has measured."""

from collections.abc import Mapping
from types import MappingProxyType

from attrs import asdict

from compiler.circuit_files import read_qpy
from compiler.mitigation import mitigate
from compiler.scoring import score
from compiler.targets.readout import ReadoutError
from compiler.workload import workload
from workers.compiling import source_of
from workers.records import Job, ScoreRow


def scored(job: Job, errors: Mapping[int, ReadoutError] = MappingProxyType({})) -> list[ScoreRow]:
    """Return the scores of a job's counts, raw and post-selected; a circuit has none.

    Args:
        job: one that has counts.
        errors: readout errors by physical qubit; if there are any, the counts are scored a
            second time with these undone.
    """
    work = workload(source_of(job.compiled), job.compiled.encoding)
    if work.game is None:
        return []
    counts = counts_of(job)
    raw, selected = score(work, counts)
    kinds = {"raw": raw, "post_selected": selected}
    if errors:
        native = read_qpy(job.compiled.chosen.native or b"", job.compiled.program)
        raw, selected = score(work, mitigate(counts, native, errors))
        kinds |= {"mitigated": raw, "mitigated_post_selected": selected}
    return [ScoreRow(kind=kind, **asdict(one)) for kind, one in kinds.items() if one is not None]


def counts_of(job: Job) -> dict[int, int]:
    """Return the shots by measured classical bits that a job brought back."""
    return {int(outcome): n for outcome, n in (job.counts or {}).items()}
