"""What is measured between a last check and a request; how long it is, the command tells."""

import sys

from benchmarks import submission_window


def test_every_way_to_submit_is_measured(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["submission_window", "--submissions", "2"])
    submission_window.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "IBM, in job mode",
        "IBM, in a batch",
        "Braket",
    ]
    assert all("check to arrival" in line and "(2 submissions)" in line for line in lines)


def test_a_window_is_told_in_milliseconds_the_first_gap_as_cold():
    window = submission_window.Window(
        "here", gaps=(0.004, 0.001, 0.002), calls=(0.2, 0.3, 0.1), looks=(0.02, 0.03, 0.01)
    )
    assert str(window) == (
        "here: check to arrival 4.00 ms cold, 2.00 ms median, 4.00 ms at most; "
        "a submission 200 ms median, the look for its key before it 20 ms median (3 submissions)"
    )
