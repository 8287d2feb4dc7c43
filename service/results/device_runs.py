"""Result of `fidelity`: a game that is played with the noise of devices."""

from collections.abc import Mapping, Sequence

from compiler.words.held_inputs import count_text
from service.results.jobs.runs import Score
from service.results.model import MeasuredResult, ResultModel


class OwnerScore(Score):
    """Score with a figure that all encodings of a game share."""

    owner_normalized_fidelity: float | None
    """0 for uniform noise on the owners of the cards; illegal bits are wrong"""


class FidelityRun(ResultModel):
    """Run of a circuit, scored as measured and with readout errors undone."""

    device: str
    backend: str
    program: str
    method: str
    encoding: str
    objective: str
    pipeline: str
    pipeline_seed: int
    two_qubit_gates: int
    from_zero: bool
    """True if it may do the same from |0…0⟩ only"""
    expected_fidelity: float | None
    verified: str
    shots: int
    run_seconds: float | None
    job: int
    scores: Mapping[str, OwnerScore | None]
    """By kind: raw, post_selected, …"""

    @property
    def gates_text(self) -> str:
        """Two-qubit gates, marked where they hold from |0…0⟩ only."""
        return count_text(self.two_qubit_gates, from_zero=self.from_zero)

    @property
    def circuit(self) -> str:
        """Name that tells the circuit from the others on its device."""
        chosen = "fewest gates" if self.objective == "two_qubit_gates" else self.objective
        literal = self.method == "literal"
        return "literal" if literal else f"{self.encoding}, {chosen.replace('_', ' ')}"

    @property
    def noise(self) -> str:
        """Device of the noise."""
        return self.backend.removeprefix("aer:")


class UniformNoise(ResultModel):
    """Scores of uniform noise on the measured bits of an encoding; null if they are many."""

    encoding: str
    scores: Mapping[str, OwnerScore | None] | None


class DeviceSnapshot(ResultModel):
    """Calibration that the noise of a device comes from."""

    device: str
    snapshot: str
    backend_version: str | None
    calibrated_at: str | None

    @property
    def text(self) -> str:
        """Snapshot, version and time on one line."""
        version = f" {self.backend_version}" if self.backend_version else ""
        return self.snapshot + version + (f" of {self.calibrated_at}" if self.calibrated_at else "")


class FidelityResult(MeasuredResult, commands="fidelity"):
    """Fidelities of a game on devices."""

    program: str
    seed: int
    owner_bits: int
    observables: Mapping[str, float]
    """Exact values"""
    devices: Sequence[DeviceSnapshot]
    runs: Sequence[FidelityRun]
    left_out: Sequence[str]
    uniform_noise: Sequence[UniformNoise]
    database: str

    @property
    def flattered(self) -> list[str]:
        """Encodings of which even post-selected uniform noise scores well."""
        posts = [(of.encoding, (of.scores or {}).get("post_selected")) for of in self.uniform_noise]
        return [name for name, post in posts if post and (post.hellinger_fidelity or 0) > 0.99]
