"""Results of `games`, `targets`, `backends` and `schema`."""

from collections.abc import Mapping, Sequence

from pydantic import ConfigDict

from service.results.model import ResultModel


class BackendRow(ResultModel):
    """Family of backends."""

    backend: str
    summary: str
    devices: Sequence[str]
    """Devices in service that are known offline"""


class AccountDeviceRow(ResultModel):
    """Device of a provider."""

    backend: str
    family: str
    """Family of its processor; empty if unknown"""
    qubits: int | None
    queue: int | None
    """Jobs that wait for it"""
    status: str


class BackendList(ResultModel, commands="backends"):
    """Families of backends."""

    backends: Sequence[BackendRow]
    account: Sequence[AccountDeviceRow]
    """Devices of the accounts found here; without one those in service, with the status `no
    account`"""


class SchemaRow(ResultModel):
    """Published schema."""

    command: str
    version: int
    id: str
    title: str


class SchemaList(ResultModel, commands="schema"):
    """Published schemas."""

    schemas: Sequence[SchemaRow]


class GameRow(ResultModel):
    """Built-in game."""

    game: str
    """Name, with its parameters"""
    title: str
    size: Mapping[str, int]
    observables: Mapping[str, str] | None
    """Exact averages as fractions; null where the game is too large"""
    qubits: Mapping[str, int | None]
    """By encoding; null where the program must be simulated to know"""


class GameList(ResultModel, commands="games"):
    """Built-in games."""

    games: Sequence[GameRow]


class GameStep(ResultModel):
    """Step of a game whose state equals the rules."""

    title: str
    states: int
    branches: int
    depth: int


class GameDetails(ResultModel, commands="games"):
    """Game, with further facts of its family."""

    model_config = ConfigDict(extra="allow")

    game: str
    title: str
    encoding: str
    encodings: Mapping[str, int]
    """Qubits by encoding"""
    qubits: int
    observables: Mapping[str, str] | None
    """Exact averages as fractions"""
    undecomposed_depth: int | None
    verified: str
    verified_detail: str
    steps: Sequence[GameStep]
    distribution: Mapping[str, str] | None
    """Exact, as fractions"""


class TargetRow(ResultModel):
    """Family of targets."""

    target: str
    summary: str
    devices: Sequence[str]
    """Devices in service"""
    retired: Sequence[str]
    """Retired devices whose last calibration is known"""


class TargetList(ResultModel, commands="targets"):
    """Families of targets."""

    targets: Sequence[TargetRow]
    account: Sequence[AccountDeviceRow]
    """Devices of the accounts found here; without one those in service, with the status `no
    account`"""


class GatePlace(ResultModel):
    """Gate on qubits of a target."""

    qubits: Sequence[int]
    error: float | None
    duration_ns: float | None


class QubitCalibration(ResultModel):
    """Relaxation and readout of a qubit; null where they are unknown."""

    t1_us: float | None
    t2_us: float | None
    one_for_zero: float | None
    """Probability that |0⟩ is read as 1"""
    zero_for_one: float | None
    """Probability that |1⟩ is read as 0"""


class TargetDetails(ResultModel, commands="targets"):
    """Target: edges, gates, errors and durations."""

    target: str
    qubits: int
    edges: Sequence[tuple[int, int]]
    out_of_reach: Sequence[int]
    """Qubits without an edge"""
    gates: Mapping[str, Sequence[GatePlace]]
    calibration: Sequence[QubitCalibration]
    dt_ns: float | None
