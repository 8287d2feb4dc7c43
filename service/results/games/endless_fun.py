"""Results of the commands `endless` and `qudits`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self

from service.results.model import ResultModel

if TYPE_CHECKING:
    from games.endless_fun.game import EndlessRound
    from games.endless_fun.rules.state import Values


class EndState(ResultModel):
    """Basis state of the end state of a round."""

    state: str
    """A digit for each qudit"""
    amplitude: str
    """Exact, such as ω/√3"""
    real: float
    imaginary: float
    probability: str
    """Exact, as a fraction"""
    wins: str
    """Exact probability that it is the winning state"""
    wins_decimal: float


class RoundEvaluation(ResultModel, commands="endless evaluate"):
    """Evaluation of a round."""

    dimension: int
    """Levels of a qudit"""
    start: str
    """A digit for each qudit"""
    rows: Sequence[Sequence[str]]
    """Gates, row by row"""
    pauli: bool
    """True if Y of 2D is Pauli's matrix"""
    states: Sequence[EndState]
    measurements: int
    expected_points: Sequence[float]
    favourite: str
    """State that most probably wins"""
    seed: int
    measured: Mapping[str, int]
    """Measurements by state"""
    winning_state: str
    """Of these measurements"""

    @classmethod
    def of(
        cls, game: "EndlessRound", seed: int, measured: "Mapping[Values, int]", winner: "Values"
    ) -> Self:
        """Return the evaluation of a round.

        Args:
            game: the round.
            seed: of the measurements.
            measured: number of measurements by state.
            winner: the winning state of these.
        """
        played, winning = game.round, game.winning()
        chances = winning.chances()
        return cls.from_objects(
            played,
            game,
            start=_digits(played.start),
            states=[
                EndState(
                    state=_digits(values),
                    amplitude=str(amplitude),
                    real=complex(amplitude).real,
                    imaginary=complex(amplitude).imag,
                    probability=str(amplitude.weight),
                    wins=str(chances[values]),
                    wins_decimal=float(chances[values]),
                )
                for values, amplitude in game.state().amplitudes().items()
            ],
            expected_points=[float(points) for points in winning.expected_points()],
            favourite=_digits(winning.favourite()),
            seed=seed,
            measured={_digits(values): count for values, count in measured.items()},
            winning_state=_digits(winner),
        )


def _digits(values: "Values") -> str:
    return "".join(map(str, values))


class ExportedRound(ResultModel, commands="qudits export"):
    """Round in DITQASM 2.0."""

    game: str
    ditqasm: str
