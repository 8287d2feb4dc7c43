"""What backends say of long runs: now and then, not with every few shots."""

import logging

from service.cli.output.backend_progress import backend_progress


def said(capsys, pause):
    log = logging.getLogger("backends.any")
    with backend_progress(pause):
        for done in range(4, 1001, 4):
            log.info("%d of 1000 shots", done)
    log.info("not listened to")
    return capsys.readouterr().err.splitlines()


def test_a_quick_run_says_nothing(capsys):
    assert said(capsys, 3600) == []


def test_a_long_one_says_how_far_it_is(capsys):
    lines = said(capsys, 0)
    assert len(lines) == 250
    assert lines[-1].endswith("1000 of 1000 shots")
