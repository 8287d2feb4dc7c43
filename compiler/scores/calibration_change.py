"""What of a device's calibration has changed between runs, among what a circuit uses."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import median

from attrs import frozen

READOUT = "readout"
NOTABLE = 0.005
"""Change of a circuit's expected success, error by use, from which on it is worth naming."""


@frozen
class CalibratedError:
    """An error that a device's calibration tells of something that a circuit does.

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
    """What has changed most in the direction of interest.

    Args:
        now: the error, as it is now.
        before: what it was, by the median of earlier runs.
        largest: change of any single error in this direction; 0 if none has changed so.
    """

    now: CalibratedError
    before: float
    largest: float

    @property
    def notable(self) -> bool:
        """Whether it changes what a run is expected to bring by `NOTABLE` or more."""
        changed = abs(self.now.error - self.before) * self.now.uses
        return self.largest > 0 and changed >= NOTABLE


def most_changed(
    now: Sequence[CalibratedError], before: Sequence[Sequence[CalibratedError]], *, worse: bool
) -> CalibrationChange | None:
    """Return what has changed most, by how much and how often it is used together.

    Args:
        now: of the newest run.
        before: of earlier runs of the same circuit.
        worse: whether errors are looked for that have grown; else those that have shrunk.

    Returns:
        The change; None if nothing is known of before or now.
    """
    earlier: dict[tuple[str, tuple[int, ...]], list[float]] = defaultdict(list)
    for run in before:
        for one in run:
            earlier[one.what, one.on].append(one.error)
    known = [(one, median(at)) for one in now if (at := earlier.get((one.what, one.on)))]
    if not known:
        return None
    sign = 1 if worse else -1
    most, old = max(known, key=lambda pair: sign * (pair[0].error - pair[1]) * pair[0].uses)
    largest = max(sign * (one.error - then) for one, then in known)
    return CalibrationChange(most, old, max(0.0, largest))


def change_in_words(change: CalibrationChange | None, *, worse: bool) -> str:
    """Return what has changed, or that nothing has, or that nobody knows."""
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
    return f"no calibration of what it uses got {direction}{beyond}"
