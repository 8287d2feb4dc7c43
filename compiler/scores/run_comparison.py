"""Comparison of a run with earlier runs of the same circuit, with its significance.

Changes of a device's calibration between runs, for the instructions of a circuit.
"""

from collections import defaultdict
from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, median

from attrs import frozen

FALSE_ALARMS = 0.05
"""Probability that anything is called better or worse if nothing has changed."""
MAX_TIMES_SHOTS = 4
"""Runs whose shots differ by more than this factor are not compared."""
SHOTS_PER_OUTCOME = 10
"""Least shots per outcome for which the bias of a fidelity is known well enough to undo it."""
PSEUDO_SHOTS = 4
"""Half of them right: they widen intervals where hardly a shot, or hardly one not, was right."""


@frozen
class Play:
    """A run of a circuit.

    Args:
        shots: how many were scored.
        fidelity: their Hellinger fidelity to the exact distribution.
        normalized: the same with uniform noise at 0; None if that is not known.
    """

    shots: int
    fidelity: float
    normalized: float | None


@frozen
class Change:
    """Difference of a run from those before.

    Args:
        difference: of its normalised fidelity to theirs, of plain ones if noise is not known.
        low: lower end of the interval.
        high: upper end.
        runs: how many runs before it was compared with.
        sigmas: size of the difference in standard deviations.
    """

    difference: float
    low: float
    high: float
    runs: int
    sigmas: float

    @classmethod
    def within(cls, difference: float, deviation: float, comparisons: int, runs: int) -> "Change":
        """Return a difference whose interval holds together with those of other comparisons.

        The interval is wide enough for all of them together (Bonferroni): all hold with
        probability 1 - `FALSE_ALARMS`.

        Args:
            difference: the estimate.
            deviation: its standard deviation.
            comparisons: how many are made side by side, this one included.
            runs: how many earlier runs there are.
        """
        half = NormalDist().inv_cdf(1 - FALSE_ALARMS / (2 * comparisons)) * deviation
        sigmas = abs(difference) / deviation if deviation else 0.0
        return cls(difference, difference - half, difference + half, runs, sigmas)

    @property
    def significant(self) -> bool:
        """Return whether the interval does not hold 0."""
        return self.low > 0 or self.high < 0

    @property
    def verdict(self) -> str:
        """`better`, `worse`, or `unclear` if the interval holds 0."""
        return "unclear" if not self.significant else "better" if self.low > 0 else "worse"


def comparable(new: Play, old: Play, outcomes: int | None) -> bool:
    """Return whether shots differ by so little that fidelities can be compared.

    They can if there are equally many; and up to a factor of `MAX_TIMES_SHOTS` if there are
    `SHOTS_PER_OUTCOME` for each outcome, so that the bias can be undone.

    Args:
        new: a run.
        old: another one of the same circuit.
        outcomes: how many outcomes the exact distribution has; None if that is not known.
    """
    few, many = sorted((new.shots, old.shots))
    if few == many:
        return True
    return (
        outcomes is not None
        and many <= MAX_TIMES_SHOTS * few
        and few >= SHOTS_PER_OUTCOME * outcomes
    )


def compare(
    new: Play, before: Sequence[Play], comparisons: int, outcomes: int | None = None
) -> Change | None:
    """Compare a run with all comparable runs before, taken together.

    The Hellinger fidelity F = (Σ √(p·q))² of N shots has a variance of F(1 - F)/N by the delta
    method, for ∂F/∂p = √F·√(q/p), and some more if there are K outcomes; and it is too low by
    (K - 1)/(4N), the mean of which is exact where the outcomes keep their proportions. The interval
    is that of `Change.within`.

    Args:
        new: the newest run.
        before: earlier runs of the same circuit on the same machine.
        comparisons: how many are made side by side, this one included.
        outcomes: how many outcomes the exact distribution has; None if that is not known.

    Returns:
        The change; None if there is nothing to compare with.
    """
    old = [play for play in before if comparable(new, play, outcomes)]
    if not old:
        return None
    shots = sum(play.shots for play in old)
    mean = sum(play.shots * _unbiased(play, outcomes) for play in old) / shots
    variance = _variance(new, outcomes)
    variance += sum(play.shots**2 * _variance(play, outcomes) for play in old) / shots**2
    difference = _unbiased(new, outcomes) - mean
    scale = _scale([new, *old])
    return Change.within(scale * difference, scale * sqrt(variance), comparisons, len(old))


def _unbiased(play: Play, outcomes: int | None) -> float:
    return play.fidelity + ((outcomes or 1) - 1) / (4 * play.shots)


def _variance(play: Play, outcomes: int | None) -> float:
    """Return F(1 - F)/N with pseudo-shots, and K/(4N²) for K outcomes of a few shots each.

    Half of that is their variance if their shares are right, the other half allows for a bias
    that differs where machines do.
    """
    share = (play.fidelity * play.shots + PSEUDO_SHOTS / 2) / (play.shots + PSEUDO_SHOTS)
    return max(0.0, share * (1 - share)) / play.shots + (outcomes or 0) / (4 * play.shots**2)


def _scale(plays: Sequence[Play]) -> float:
    """Return by how much normalised fidelities differ more than plain ones: 1/(1 - F_noise)."""
    for play in plays:
        if play.normalized is not None and play.fidelity < 1:
            return (1 - play.normalized) / (1 - play.fidelity)
    return 1.0


READOUT = "readout"
NOTABLE = 0.005
"""Change of a circuit's expected success, error by use, from which on it is worth naming."""


@frozen
class CalibratedError:
    """An error of a device's calibration for an instruction of a circuit.

    Args:
        what: the gate's name, or `readout`.
        on: its qubits, in order.
        error: probability that it goes wrong once.
        uses: how often the circuit does it.
    """

    what: str
    on: tuple[int, ...]
    error: float
    uses: int

    @property
    def place(self) -> str:
        """Its qubit or coupler."""
        kind = "qubit" if len(self.on) == 1 else "coupler"
        return f"{kind} {'-'.join(map(str, self.on))}"


@frozen
class CalibrationChange:
    """The largest change in the direction of interest.

    Args:
        now: the present error.
        before: the median error of earlier runs.
        largest: change of any single error in this direction; 0 if none has changed so.
    """

    now: CalibratedError
    before: float
    largest: float

    @property
    def notable(self) -> bool:
        """Return whether it changes the expected result of a run by `NOTABLE` or more."""
        changed = abs(self.now.error - self.before) * self.now.uses
        return self.largest > 0 and changed >= NOTABLE


def most_changed(
    now: Sequence[CalibratedError], before: Sequence[Sequence[CalibratedError]], *, worse: bool
) -> CalibrationChange | None:
    """Return the largest change, weighted by the number of uses.

    Args:
        now: of the newest run.
        before: of earlier runs of the same circuit.
        worse: whether errors are looked for that have grown; else those that have shrunk.

    Returns:
        The change; None if nothing is known of before or now.
    """
    earlier: dict[tuple[str, tuple[int, ...]], list[float]] = defaultdict(list)
    for run in before:
        for figure in run:
            earlier[figure.what, figure.on].append(figure.error)
    pairs = [
        (figure, median(at)) for figure in now if (at := earlier.get((figure.what, figure.on)))
    ]
    if not pairs:
        return None
    sign = 1 if worse else -1
    most, old = max(pairs, key=lambda pair: sign * (pair[0].error - pair[1]) * pair[0].uses)
    largest = max(sign * (figure.error - then) for figure, then in pairs)
    return CalibrationChange(most, old, max(0.0, largest))


def change_in_words(change: CalibrationChange | None, *, worse: bool) -> str:
    """Return the change as a sentence, or that there is none, or that it is unknown."""
    if change is None:
        return "no calibration is recorded of these runs"
    if change.notable:
        now = change.now
        often = "" if now.uses == 1 else f", used {now.uses} times a shot"
        return (
            f"calibration of {now.place}: {now.what} error {change.before:.2g} → "
            f"{now.error:.2g}{often}"
        )
    direction = "worse" if worse else "better"
    beyond = f" by more than {change.largest:.2g}" if change.largest > 0 else ""
    return f"no calibration of the circuit's gates got {direction}{beyond}"
