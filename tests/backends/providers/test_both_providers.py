"""Jobs of both providers, by their real SDKs: what goes wrong has the same consequences."""

from datetime import timedelta

import pytest

from backends import BackendError, GoneError, JobState, ResultError, UnavailableError
from tests.backends.providers.conftest import KEYS
from tests.servers.process import wait_until
from tests.servers.provider_simulators.faults import Fault
from tests.servers.provider_simulators.protocol import Response


@pytest.mark.parametrize("fault", [Fault.CUT_AFTER, Fault.SERVER_ERROR_AFTER])
def test_a_job_accepted_without_an_answer_is_found(site, fault):
    site.fail(fault)
    with pytest.raises(UnavailableError):
        site.submit()
    assert len(site.accepted()) == 1
    assert site.backend.find(KEYS[0]) == site.accepted()


@pytest.mark.parametrize("fault", [Fault.CUT_BEFORE, Fault.SERVER_ERROR, Fault.TOO_MANY_REQUESTS])
def test_a_submission_that_failed_is_sent_once_and_not_accepted(site, fault):
    site.fail(fault, times=None, seconds=17)
    with pytest.raises(UnavailableError) as error:
        site.submit()
    assert error.value.retry_after == (17 if fault is Fault.TOO_MANY_REQUESTS else None)
    assert site.server.provider.faults.listed()[0]["fired"] == 1
    assert site.accepted() == site.backend.find(KEYS[0]) == []


def test_a_submission_that_is_to_be_sent_elsewhere_is_in_doubt_and_sent_once(site):
    arrived = site.requests(submit=Response(307, b"", {"Location": "/elsewhere"}))
    with pytest.raises(UnavailableError):
        site.submit()
    assert arrived[-1] == "submit"
    assert arrived.count("submit") == 1


@pytest.mark.parametrize("id", ["", "a b", "a\nb", "\u202e", "\u0661", "x" * 201])
def test_an_id_that_cannot_be_used_leaves_it_in_doubt(site, id):
    site.patch.setattr(site.server.provider.machine, "told_id", lambda job: id)
    with pytest.raises(UnavailableError) as error:
        site.submit()
    assert str(error.value).isprintable()
    assert site.backend.find(KEYS[0]) == site.accepted()


class StopError(Exception):
    pass


@pytest.mark.parametrize(
    "reason",
    [StopError("no"), ValueError("no"), OSError("no"), UnavailableError("no"), KeyboardInterrupt()],
    ids=repr,
)
def test_what_the_last_check_raises_stops_the_request_and_comes_out_unchanged(site, reason):
    arrived = site.requests()

    def leave():
        raise reason

    with pytest.raises(type(reason)) as caught:
        site.submit(leave=leave)
    assert caught.value is reason
    assert "submit" not in arrived
    assert site.accepted() == []
    assert [site.submit()] == site.accepted()


def test_only_the_request_itself_follows_the_last_check_over_an_open_connection(site):
    arrived, at_check = site.requests(), []
    site.connect_anew()
    for key in KEYS[:2]:
        site.submit(key, leave=lambda: at_check.append((len(arrived), set(site.server.http.open))))
        before, connections = at_check[-1]
        assert arrived[before:] == ["submit"]
        assert set(site.server.http.open) == connections
    assert at_check[0][0] > 0
    assert len(at_check) == 2


def test_queued_jobs_have_a_position_and_can_be_cancelled(site):
    site.fail(Fault.SLOW_QUEUE, times=2, seconds=1000)
    first, second = (site.submit(key) for key in KEYS[:2])
    status = site.backend.status
    assert (status(first, KEYS[0]).state, status(first, KEYS[0]).queue_position) == (
        JobState.QUEUED,
        1,
    )
    assert status(second, KEYS[1]).queue_position == 2
    site.backend.cancel(first)
    assert status(first, KEYS[0]).state is JobState.CANCELLED
    assert status(second, KEYS[1]).queue_position == 1
    site.backend.cancel(first)
    with pytest.raises(site.late):
        site.backend.raw_result(second)


def test_a_job_that_is_being_cancelled_has_not_ended(site):
    machine = site.server.provider.machine
    machine.queue_seconds = 1000
    id = site.submit()
    site.fail(Fault.SLOW_CANCEL, "cancel", seconds=1000)
    site.backend.cancel(id)
    assert site.backend.status(id, KEYS[0]).state is JobState.RUNNING
    machine._end(machine.jobs[id], JobState.CANCELLED)
    assert site.backend.status(id, KEYS[0]).state is JobState.CANCELLED


def test_a_late_result_is_waited_for(site):
    site.fail(Fault.LATE_RESULT, seconds=4)
    id = site.submit()
    assert site.ended(id).state is JobState.DONE

    def is_there():
        try:
            return bool(site.backend.raw_result(id))
        except site.late:
            return False

    assert not is_there()
    assert wait_until(is_there, 60)
    assert site.shots(id) == 200


def test_a_lost_result_is_gone_for_good(site):
    site.fail(Fault.LOST_RESULT)
    id = site.submit()
    assert site.ended(id).state is JobState.DONE
    for _ in range(2):
        with pytest.raises(GoneError):
            site.backend.raw_result(id)


def test_a_result_expires(site):
    site.fail(Fault.EXPIRED_RESULT, seconds=3600)
    id = site.submit()
    site.ended(id)
    assert site.shots(id) == 200
    site.server.provider.machine.jobs[id].ended -= timedelta(hours=2)
    with pytest.raises(GoneError):
        site.backend.raw_result(id)


def test_a_result_sent_in_part_is_kept_and_can_be_fetched_again(site):
    id = site.submit()
    site.ended(id)
    site.fail(Fault.CORRUPT_RESULT, "result")
    raw = site.backend.raw_result(id)
    with pytest.raises(ResultError):
        site.backend.counts(raw, site.job(), KEYS[0], id)
    assert site.shots(id) == 200


def test_a_result_is_fetched_no_further_than_its_bound(site):
    id = site.submit()
    site.ended(id)
    raw = site.backend.raw_result(id)
    site.patch.setattr(site.result_bytes, len(raw))
    assert site.backend.raw_result(id) == raw
    site.patch.setattr(site.result_bytes, len(raw) - 1)
    with pytest.raises(ResultError):
        site.backend.raw_result(id)


def test_a_provider_that_shows_or_sends_another_job_is_not_believed(site):
    first = site.submit()
    site.fail(Fault.DUPLICATE_ID)
    assert site.submit(KEYS[1]) == first
    with pytest.raises(ResultError) as error:
        site.backend.status(first, KEYS[1])
    assert "\n" not in str(error.value)
    (second,) = site.backend.find(KEYS[1])
    assert [second] == site.accepted(KEYS[1]) != [first]
    site.ended(first)
    site.ended(second, KEYS[1])
    site.fail(Fault.FOREIGN_RESULT, "result")
    with pytest.raises(ResultError):
        site.shots(first)
    assert site.shots(first) == 200


def test_a_device_that_has_left_takes_no_job_and_results_are_fetched(site):
    id = site.submit()
    site.ended(id)
    site.fail(Fault.DEVICE_LEFT, "*", times=None)
    site.connect_anew()
    assert site.backend.find(KEYS[0]) == [id]
    assert site.backend.status(id, KEYS[0]).state is JobState.DONE
    assert site.shots(id) == 200
    assert site.backend.charge(id).usd > 0
    with pytest.raises(BackendError) as error:
        site.submit(KEYS[1])
    assert not isinstance(error.value, UnavailableError)
    assert site.accepted(KEYS[1]) == []
