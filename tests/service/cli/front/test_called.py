"""From when on the seconds of a command count."""

from time import monotonic

from service.cli.front import called


def test_a_process_is_called_when_it_is_started(monkeypatch, tmp_path):
    before = monotonic()
    called.remember(is_process=False)
    assert before <= called.called_at() <= monotonic()
    called.remember(is_process=True)
    # This process has been there for longer than this test.
    assert called.called_at() < before
    monkeypatch.setattr(called, "STAT", tmp_path / "nothing")
    assert called.process_seconds() == 0
    (tmp_path / "nothing").write_text("1 (a) b) R 1")
    assert called.process_seconds() == 0


def test_means_say_when_the_command_was_called(monkeypatch):
    from service.cli.families.means import means

    monkeypatch.setattr(called, "_called", [7.0])
    assert means().begun == 7.0
