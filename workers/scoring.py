"""Scores of a job's counts."""

from collections.abc import Mapping
from types import MappingProxyType

from attrs import asdict

from compiler.dynamic.pieces import is_dynamic
from compiler.formats.circuit_files import read_qpy
from compiler.scores.mitigation import mitigate
from compiler.scores.scoring import Score, score
from compiler.targets.readout import ReadoutError
from games.sources import read_program
from workers.compilation.compiling import source_of
from workers.records.tables import Job, ObservableRow, ScoreRow


def scored(job: Job, errors: Mapping[int, ReadoutError] = MappingProxyType({})) -> list[ScoreRow]:
    """Return the scores of a job's counts, raw and post-selected; without a judge none.

    Every outcome of a user's circuit is legal, so there is nothing to select.

    Args:
        job: one that has counts.
        errors: readout errors by physical qubit; if there are any, the counts are scored a
            second time with these undone, unless later gates depended on measured bits.
    """
    program = read_program(source_of(job.compiled), job.compiled.encoding)
    if program.judge is None:
        return []
    counts = counts_of(job)
    raw, selected = score(program, counts)
    kinds = {"raw": raw, "post_selected": selected}
    native = read_qpy(job.compiled.chosen.native or b"", job.compiled.program)
    if errors and not is_dynamic(native):
        raw, selected = score(program, mitigate(counts, native, errors), counted=False)
        kinds |= {"mitigated": raw, "mitigated_post_selected": selected}
    if program.is_circuit:
        kinds = {kind: each for kind, each in kinds.items() if not kind.endswith("post_selected")}
    return [_row(kind, each) for kind, each in kinds.items() if each is not None]


def _row(kind: str, score: Score) -> ScoreRow:
    observables = [
        ObservableRow(place=place, name=name, **asdict(estimate))
        for place, (name, estimate) in enumerate(score.observables.items())
    ]
    plain = asdict(score, filter=lambda attribute, _: attribute.name != "observables")
    return ScoreRow(kind=kind, observables=observables, **plain)


def counts_of(job: Job) -> dict[int, int]:
    """Return the shots by measured classical bits that a job brought back."""
    return {int(outcome): n for outcome, n in (job.counts or {}).items()}
