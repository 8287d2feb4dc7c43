"""What the command `fidelity` answers of a run, of noise, and of a device's snapshot."""

from typing import Any

from attrs import asdict

from compiler.formats.circuit_files import read_qpy
from compiler.program import Program
from compiler.scores.mitigation import mitigate
from compiler.scores.scoring import MOST_BITS, Score, normalized, register_noise_fidelity, score
from compiler.targets.device import is_device
from compiler.targets.heavy_hex import snapshot
from compiler.targets.readout import readout_errors
from games.sources import Source, read_program
from workers.compilation.compiling import source_of
from workers.records.tables import Job
from workers.scoring import counts_of


def device_answer(device: str) -> dict[str, Any]:
    """Return which calibration snapshot of a device its noise comes from."""
    if is_device(device):
        return {
            "device": device, "snapshot": device, "backend_version": None, "calibrated_at": None
        }  # fmt: skip
    shipped = snapshot(device)
    return {
        "device": device,
        "snapshot": shipped.name,
        "backend_version": shipped.backend_version,
        "calibrated_at": shipped.properties().last_update_date.isoformat(),
    }


def run_answer(job: Job, owner_bits: int, device: str) -> dict[str, Any]:
    """Return a finished job's figures and its scores, as measured and mitigated.

    Args:
        job: one that is done.
        owner_bits: size of a register that holds the owners of all cards.
        device: whose noise it was run with.
    """
    compilation = job.compiled
    chosen = compilation.chosen
    counts = counts_of(job)
    native = read_qpy(chosen.native or b"", compilation.program)
    mitigated = mitigate(counts, native, readout_errors(compilation.target))
    program = read_program(source_of(compilation), compilation.encoding)
    return {
        "device": device,
        "backend": job.backend,
        "method": compilation.method,
        "encoding": compilation.encoding,
        "objective": compilation.objective,
        "pipeline": chosen.pipeline,
        "pipeline_seed": chosen.seed,
        "two_qubit_gates": chosen.two_qubit_gates,
        "from_zero": chosen.from_zero,
        "expected_fidelity": chosen.expected_fidelity,
        "verified": compilation.verified,
        "shots": job.shots,
        "run_seconds": job.run_seconds,
        "scores": _scores(score(program, counts), program, owner_bits)
        | _scores(score(program, mitigated), program, owner_bits, "mitigated"),
        "job": job.id,
    }


def noise_answer(source: Source, owner_bits: int, encoding: str) -> dict[str, Any]:
    """Return the scores of uniform noise on an encoding's measured bits, none if they are many."""
    program = read_program(source, encoding)
    bits = program.circuit.num_clbits
    noise = dict.fromkeys(range(1 << bits), 1.0) if bits <= MOST_BITS else None
    return {
        "encoding": encoding,
        "scores": noise and _scores(score(program, noise), program, owner_bits),
    }


def _scores(
    of: tuple[Score, Score | None], program: Program, owner_bits: int, kind: str = ""
) -> dict[str, Any]:
    """Return a raw and a post-selected score with a figure that encodings share.

    `owner_normalized_fidelity` is 0 for uniform noise on the owners of the cards, whatever was
    measured; bits that stand for no outcome are wrong. Post-selected it has the same zero.
    """
    assert program.judge is not None
    noise = register_noise_fidelity(program.judge, owner_bits)

    def with_owners(one: Score) -> dict[str, Any]:
        fidelity = one.hellinger_fidelity
        owners = None if fidelity is None or noise is None else normalized(fidelity, noise)
        return {**asdict(one), "owner_normalized_fidelity": owners}

    raw, selected = of
    return {
        kind or "raw": with_owners(raw),
        f"{kind}_post_selected".lstrip("_"): selected and with_owners(selected),
    }
