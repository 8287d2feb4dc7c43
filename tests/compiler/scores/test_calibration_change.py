"""What of a calibration has changed: by error and use, in one direction, or nothing."""

import pytest

from compiler.scores.calibration_change import (
    CalibratedError,
    change_in_words,
    most_changed,
)


def run(readout=0.01, cz=0.004, sx=0.0003):
    return [
        CalibratedError("readout", (17,), readout, 1),
        CalibratedError("cz", (16, 17), cz, 20),
        CalibratedError("sx", (17,), sx, 30),
    ]


def told(now, before, *, worse=True):
    return change_in_words(most_changed(now, before, worse=worse), worse=worse)


@pytest.mark.parametrize(
    ("now", "before", "worse", "words"),
    [
        (run(readout=0.08), [run(readout=0.012)], True,
         "calibration of qubit 17: readout error 0.012 → 0.08"),
        # A smaller error that is made more often costs more.
        (run(readout=0.02, cz=0.008), [run()], True,
         "calibration of coupler 16-17: cz error 0.004 → 0.008, used 20 times a shot"),
        (run(readout=0.02, cz=0.008), [run()], False, "no calibration of what it uses got better"),
        (run(readout=0.01), [run(readout=0.05)], False,
         "calibration of qubit 17: readout error 0.05 → 0.01"),
        (run(readout=0.0102), [run()], True,
         "no calibration of what it uses got worse by more than 0.0002"),
        (run(), [run()], True, "no calibration of what it uses got worse"),
        # One earlier run that stands out is not what it was before.
        (run(), [run(), run(readout=0.2), run()], False,
         "no calibration of what it uses got better"),
        (run(), [], True, "no calibration is recorded of these runs"),
        ([], [run()], True, "no calibration is recorded of these runs"),
        (run()[:1], [run()[1:]], True, "no calibration is recorded of these runs"),
    ],
)  # fmt: skip
def test_what_costs_most_is_named(now, before, worse, words):
    assert told(now, before, worse=worse) == words
