"""Counting in this process: bounded, and never in the way."""

import logging

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from prometheus_client import generate_latest

from tests.workers.metrics.exposed import Series, read
from workers.jobs.states import Queue, State
from workers.metrics import recording
from workers.metrics.family import FAMILIES, Family, Kind, Source
from workers.metrics.instruments import INSTRUMENTS
from workers.metrics.labels import MOST_VALUES, FewValues, backend_label, plain

STRANGE = '":\n\\{}\u2028\ud800=,#\N{GRINNING FACE}'


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """Labels that no other test has used up."""
    monkeypatch.setattr(recording, "_few_backends", FewValues())
    monkeypatch.setattr(recording, "_few_providers", FewValues())
    monkeypatch.setattr(recording, "_few_pipelines", FewValues())
    monkeypatch.setattr(recording, "_told", set())


def counted():
    return Series(generate_latest(INSTRUMENTS).decode())


def grown(name, before, after):
    """Return the series that have grown or are new, and by how much."""
    was = before.of(name)
    return {key: n - was.get(key, 0) for key, n in after.of(name).items() if n > was.get(key, 0)}


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        ("sparse", "sparse"),
        ("aer:torino:thermal", "aer:torino:thermal"),
        ("grid:17", "grid"),
        ("grid:17:0.01:noisy", "grid:noisy"),
        ("2x2:b", "2x2:b"),
        ("a\nb", "a\N{REPLACEMENT CHARACTER}b"),
        ("a" * 1000, "a" * 200),
    ],
)
def test_backends_are_told_apart_by_their_names(spec, label):
    assert backend_label(spec) == label


def test_any_text_becomes_one_printable_line():
    found = plain(STRANGE)
    assert found.isprintable()
    assert found.encode()
    assert plain("skat-4") == "skat-4"


def test_of_a_thousand_backends_fifty_are_told_apart():
    before = counted()
    for n in range(1000):
        recording.moved(f"strange{n}{STRANGE}", State.QUEUED, State.COMPILING, 1.0)
        recording.ended(f"strange{n}{STRANGE}", State.DONE, 2.0)
        recording.called(f"strange{n}{STRANGE}", "submit", "ok", 0.1)
        recording.attempted("lower", f"strange{n}{STRANGE}", 0.1)
    after = counted()
    moved = grown("stichwerk_job_transitions_total", before, after)
    assert len(moved) == MOST_VALUES + 1
    assert moved["other", "compiling"] == 1000 - MOST_VALUES
    assert sum(moved.values()) == 1000
    for name in (
        "stichwerk_job_state_duration_seconds_count",
        "stichwerk_job_duration_seconds_count",
        "stichwerk_provider_calls_total",
        "stichwerk_compile_duration_seconds_count",
    ):
        found = grown(name, before, after)
        assert len(found) == MOST_VALUES + 1
        assert sum(found.values()) == 1000


def test_providers_are_told_apart_however_many_backends_there_are():
    before = counted()
    for n in range(2 * MOST_VALUES):
        recording.ended(f"backend{chr(0x100 + n)}", State.DONE, 1.0)
    recording.called("ibm", "find", "refused", 0.1)
    grew = grown("stichwerk_provider_calls_total", before, counted())
    assert grew == {("find", "refused", "ibm"): 1}


def test_ends_are_no_states_that_are_left_and_the_queue_none_that_is_entered():
    before = counted()
    recording.moved("again", State.FAILED, State.QUEUED, 500.0)
    recording.moved("again", State.SCORING, State.DONE, -0.5)
    after = counted()
    assert grown("stichwerk_job_transitions_total", before, after) == {("again", "done"): 1}
    durations = "stichwerk_job_state_duration_seconds"
    assert grown(f"{durations}_count", before, after) == {("again", "scoring"): 1}
    assert after.get(f"{durations}_sum", backend="again", state="scoring") == 0


def test_a_process_is_busy_until_its_job_is_left_however_it_is_left():
    with pytest.raises(ZeroDivisionError), recording.busy():
        assert counted().get("stichwerk_worker_busy_processes") == 1
        raise ZeroDivisionError
    assert counted().get("stichwerk_worker_busy_processes") == 0


class Broken:
    """An instrument on a disk that is full."""

    def __init__(self, error):
        self.error = error

    def __getattr__(self, name):
        raise self.error


INSTRUMENT_NAMES = [name for name in vars(recording) if name.isupper() and name not in
                    ("FINAL", "LOG", "MICRO")]  # fmt: skip

RECORDERS = (
    lambda: recording.moved("b", State.QUEUED, State.COMPILING, 1.0),
    lambda: recording.ended("b", State.DONE, 1.0),
    lambda: recording.will_try_again("b", State.RUNNING),
    lambda: recording.called("ibm", "submit", "ok", 1.0),
    lambda: recording.attempted("lower", "qiskit", 1.0),
    lambda: recording.looked_up(found=True),
    lambda: recording.reserved("b", 1),
    lambda: recording.swept(away=False),
    lambda: recording.sent_again(Queue.POLL, 1),
    recording.process_started,
    lambda: recording.busy().__enter__(),
)


@pytest.mark.parametrize("record", RECORDERS)
def test_what_goes_wrong_while_counting_is_logged_once_and_no_more(record, monkeypatch, caplog):
    for name in INSTRUMENT_NAMES:
        monkeypatch.setattr(recording, name, Broken(OSError("no space left on device")))
    with caplog.at_level(logging.ERROR, "stichwerk.metrics"):
        for _ in range(3):
            record()
    (line,) = caplog.records
    assert "is not counted" in line.message


def test_a_job_whose_time_is_up_hears_of_it_though_it_was_counting(monkeypatch):
    monkeypatch.setattr(recording, "TRANSITIONS", Broken(SoftTimeLimitExceeded()))
    with pytest.raises(SoftTimeLimitExceeded):
        recording.moved("b", State.QUEUED, State.COMPILING, 1.0)


def test_a_name_is_declared_once():
    with pytest.raises(ValueError, match="stichwerk_jobs_twice is declared twice"):
        for _ in range(2):
            Family("stichwerk_jobs_twice", Kind.GAUGE, "", (), Source.RECORDS)
    del FAMILIES["stichwerk_jobs_twice"]


def test_series_that_are_the_same_are_noticed():
    from prometheus_client.core import GaugeMetricFamily
    from prometheus_client.registry import Collector

    class Twice(Collector):
        def collect(self):
            family = GaugeMetricFamily("a", "b", labels=["c"])
            family.add_metric(["d"], 1)
            family.add_metric(["d"], 2)
            yield family

    with pytest.raises(AssertionError, match="twice"):
        read([Twice()])
