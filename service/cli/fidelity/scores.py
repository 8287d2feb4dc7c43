"""Scores of runs, and of uniform noise, on a scale that the encodings of a game share."""

from collections.abc import Mapping

from attrs import asdict

from compiler.program import Program
from compiler.scores.scoring import MOST_BITS, normalized, register_noise_fidelity, score
from compiler.targets.device import is_device
from compiler.targets.heavy_hex import snapshot
from games.sources import Source, read_program
from service.results.device_runs import DeviceSnapshot, FidelityRun, OwnerScore, UniformNoise
from service.results.jobs.scores import Score, scores_of
from workers.compilation.compiling import source_of
from workers.records.tables import Job


def device_snapshot(device: str) -> DeviceSnapshot:
    """Return which calibration snapshot of a device its noise comes from."""
    if is_device(device):
        return DeviceSnapshot(
            device=device, snapshot=device, backend_version=None, calibrated_at=None
        )
    shipped = snapshot(device)
    return DeviceSnapshot(
        device=device,
        snapshot=shipped.name,
        backend_version=shipped.backend_version,
        calibrated_at=shipped.properties().last_update_date.isoformat(),
    )


def fidelity_run(job: Job, owner_bits: int, device: str) -> FidelityRun:
    """Return a finished job's figures and its scores, as measured and mitigated.

    Args:
        job: one that is done.
        owner_bits: size of a register that holds the owners of all cards.
        device: whose noise it was run with.
    """
    chosen = job.compiled.chosen
    program = read_program(source_of(job.compiled), job.compiled.encoding)
    return FidelityRun.from_objects(
        job, job.compiled, chosen,
        job=job.id, device=device, pipeline_seed=chosen.seed,
        scores=_with_owners(scores_of(job), program, owner_bits),
    )  # fmt: skip


def uniform_noise(source: Source, owner_bits: int, encoding: str) -> UniformNoise:
    """Return the scores of uniform noise on an encoding's measured bits, none if they are many."""
    program = read_program(source, encoding)
    bits = program.circuit.num_clbits
    if bits > MOST_BITS:
        return UniformNoise(encoding=encoding, scores=None)
    kinds = zip(
        ("raw", "post_selected"), score(program, dict.fromkeys(range(1 << bits), 1.0)), strict=True
    )
    scores = {kind: Score(**asdict(of)) for kind, of in kinds if of is not None}
    return UniformNoise(encoding=encoding, scores=_with_owners(scores, program, owner_bits))


def _with_owners(
    scores: Mapping[str, Score], program: Program, owner_bits: int
) -> dict[str, OwnerScore]:
    """Return scores with a figure that encodings share.

    `owner_normalized_fidelity` is 0 for uniform noise on the owners of the cards, whatever was
    measured; bits that stand for no outcome are wrong. Post-selected it has the same zero.
    """
    assert program.judge is not None
    noise = register_noise_fidelity(program.judge, owner_bits)

    def owners(fidelity: float | None) -> float | None:
        return None if fidelity is None or noise is None else normalized(fidelity, noise)

    return {
        kind: OwnerScore.from_objects(of, owner_normalized_fidelity=owners(of.hellinger_fidelity))
        for kind, of in scores.items()
    }
