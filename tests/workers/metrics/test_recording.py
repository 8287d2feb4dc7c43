"""Counting in this process: bounded, and never in the way."""

import attrs
import pytest
from prometheus_client import generate_latest

from tests.workers.metrics.exposed import Series
from workers import events
from workers.events import (
    AttemptMade,
    CircuitLookedUp,
    CostReserved,
    JobMoved,
    JobWillTryAgain,
    MessagesSent,
    ProcessStarted,
    ProviderCalled,
    Swept,
    WorkBegun,
    WorkEnded,
    publish,
)
from workers.jobs.states import Queue, State
from workers.metrics import recording
from workers.metrics.family import FAMILIES, Family, Kind, Source
from workers.metrics.labels import MAX_VALUES, FewValues, backend_label, plain
from workers.metrics.recording import INSTRUMENTS

STRANGE = '":\n\\{}\u2028\ud800=,#\N{GRINNING FACE}'


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """Count what happens, with labels that no other test has used up."""
    monkeypatch.setattr(events, "_listeners", {})
    monkeypatch.setattr(events, "_failed", set())
    monkeypatch.setattr(recording, "_few_backends", FewValues())
    monkeypatch.setattr(recording, "_few_providers", FewValues())
    monkeypatch.setattr(recording, "_few_pipelines", FewValues())
    for instrument in set(INSTRUMENTS._collector_to_names):
        instrument.clear()
    recording.count_events()


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
        publish(JobMoved(f"strange{n}{STRANGE}", State.QUEUED, State.DONE, 1.0, 2.0))
        publish(ProviderCalled(f"strange{n}{STRANGE}", "submit", "ok", 0.1))
        publish(AttemptMade("lower", f"strange{n}{STRANGE}", 0.1))
    after = counted()
    moved = grown("stichwerk_job_transitions_total", before, after)
    assert len(moved) == MAX_VALUES + 1
    assert moved["other", "done"] == 1000 - MAX_VALUES
    assert sum(moved.values()) == 1000
    for name in (
        "stichwerk_job_state_duration_seconds_count",
        "stichwerk_job_duration_seconds_count",
        "stichwerk_provider_calls_total",
        "stichwerk_compile_duration_seconds_count",
    ):
        found = grown(name, before, after)
        assert len(found) == MAX_VALUES + 1
        assert sum(found.values()) == 1000


def test_providers_are_told_apart_however_many_backends_there_are():
    before = counted()
    for n in range(2 * MAX_VALUES):
        publish(JobMoved(f"backend{chr(0x100 + n)}", State.SCORING, State.DONE, 1.0, 1.0))
    publish(ProviderCalled("ibm", "find", "refused", 0.1))
    grew = grown("stichwerk_provider_calls_total", before, counted())
    assert grew == {("find", "refused", "ibm"): 1}


def test_ends_are_no_states_that_are_left_and_the_queue_none_that_is_entered():
    before = counted()
    publish(JobMoved("again", State.FAILED, State.QUEUED, 500.0))
    publish(JobMoved("again", State.SCORING, State.DONE, -0.5))
    after = counted()
    assert grown("stichwerk_job_transitions_total", before, after) == {("again", "done"): 1}
    durations = "stichwerk_job_state_duration_seconds"
    assert grown(f"{durations}_count", before, after) == {("again", "scoring"): 1}
    assert after.get(f"{durations}_sum", backend="again", state="scoring") == 0


def test_a_job_is_as_old_as_it_was_when_it_ended_first():
    before = counted()
    publish(JobMoved("old", State.SCORING, State.DONE, 1.0, 7.5))
    publish(JobMoved("old", State.RUNNING, State.FAILED, 1.0))
    after = counted()
    duration = "stichwerk_job_duration_seconds"
    assert grown(f"{duration}_count", before, after) == {("old", "done"): 1}
    assert grown(f"{duration}_sum", before, after) == {("old", "done"): 7.5}


EVENTS = (
    (JobMoved("b", State.QUEUED, State.COMPILING, 1.0),
     "stichwerk_job_transitions_total", ("b", "compiling"), 1),
    (JobWillTryAgain("b", State.RUNNING),
     "stichwerk_job_temporary_failures_total", ("b", "running"), 1),
    (ProviderCalled("ibm", "submit", "ok", 1.5),
     "stichwerk_provider_call_duration_seconds_sum", ("submit", "ibm"), 1.5),
    (AttemptMade("lower", "qiskit", 2.5),
     "stichwerk_compile_duration_seconds_sum", ("qiskit", "lower"), 2.5),
    (CircuitLookedUp(found=True), "stichwerk_compilation_cache_lookups_total", ("hit",), 1),
    (CircuitLookedUp(found=False), "stichwerk_compilation_cache_lookups_total", ("miss",), 1),
    (CostReserved("b", 2_500_000), "stichwerk_reserved_cost_usd_total", ("b",), 2.5),
    (Swept(away=True), "stichwerk_sweeps_total", ("away",), 1),
    (Swept(away=False), "stichwerk_sweeps_total", ("ok",), 1),
    (MessagesSent(Queue.POLL, 3), "stichwerk_swept_messages_total", ("poll",), 3),
)  # fmt: skip


@pytest.mark.parametrize(("event", "name", "labels", "more"), EVENTS)
def test_an_event_is_counted_once_however_often_counting_was_begun(event, name, labels, more):
    recording.count_events()
    before = counted()
    publish(event)
    assert grown(name, before, counted()) == {labels: more}


def test_a_process_is_busy_until_its_job_is_left():
    publish(ProcessStarted())
    publish(WorkBegun())
    assert counted().get("stichwerk_worker_processes") == 1
    assert counted().get("stichwerk_worker_busy_processes") == 1
    publish(WorkEnded())
    assert counted().get("stichwerk_worker_busy_processes") == 0


def test_no_event_is_left_uncounted():
    told = {kind for kind in vars(events).values() if isinstance(kind, type) and attrs.has(kind)}
    assert told == recording.count.registry.keys() - {object}


def test_a_name_is_declared_once():
    with pytest.raises(ValueError, match="stichwerk_jobs_twice is declared twice"):
        for _ in range(2):
            Family("stichwerk_jobs_twice", Kind.GAUGE, "", (), Source.RECORDS)
    del FAMILIES["stichwerk_jobs_twice"]
