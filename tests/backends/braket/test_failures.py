"""Amazon Braket: refusals, silences, and credentials."""

import socket

import pytest
from attrs import evolve
from botocore.session import get_session

from backends import (
    BackendError,
    CredentialsError,
    GoneError,
    JobState,
    NotAcceptedError,
    UnavailableError,
)
from backends.braket.connection import forget
from tests.backends.braket.simulated import KEY, fail, job, tasks, wait
from tests.servers.provider_simulators.braket.access import SECRET_KEY
from tests.servers.provider_simulators.faults import Fault
from tests.servers.provider_simulators.protocol import Refusal, Response


@pytest.mark.parametrize("fault", [Fault.CUT_BEFORE, Fault.SERVER_ERROR])
@pytest.mark.parametrize("operation", ["find", "result", "device"])
def test_every_call_says_when_the_provider_is_unavailable(server, garnet, fault, operation):
    task = garnet.submit({KEY: job()}, KEY)
    wait(garnet, task)
    forget()
    fail(server, fault, operation)
    calls = {
        "find": lambda: garnet.find(KEY),
        "result": lambda: garnet.raw_result(task),
        "device": lambda: garnet.submit({"1" * 32: job()}, "1" * 32),
    }
    with pytest.raises(UnavailableError) as caught:
        calls[operation]()
    assert "\n" not in str(caught.value)
    calls[operation]()


def test_nobody_answers(server, garnet, monkeypatch):
    monkeypatch.setattr("backends.braket.connection.READ_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        monkeypatch.setenv("AWS_ENDPOINT_URL_BRAKET", url)
        with pytest.raises(UnavailableError, match="Read timeout"):
            garnet.find(KEY)


def modelled_errors():
    """Return the name and status of each error that botocore's model of Braket has."""
    model = get_session().get_service_model("braket")
    errors = map(model.shape_for, model.shape_names)
    return sorted(
        (shape.name, shape.metadata["error"]["httpStatusCode"])
        for shape in errors
        if shape.metadata.get("exception") and "error" in shape.metadata
    )


MEANINGS = {
    "AccessDeniedException": CredentialsError,
    "ConflictException": UnavailableError,
    "DeviceOfflineException": NotAcceptedError,
    "DeviceRetiredException": GoneError,
    "InternalServiceException": UnavailableError,
    "ResourceNotFoundException": GoneError,
    "ServiceQuotaExceededException": NotAcceptedError,
    "ThrottlingException": UnavailableError,
    "ValidationException": BackendError,
}


def test_every_error_of_the_service_has_a_meaning(server, garnet, monkeypatch):
    for code, status in modelled_errors():

        def refuse(*_: object, code=code, status=status) -> None:
            raise Refusal(status, code, "no\nmore")

        monkeypatch.setattr(server.provider._tasks, "create", refuse)
        with pytest.raises(BackendError) as caught:
            garnet.submit({KEY: job()}, KEY)
        assert type(caught.value) is MEANINGS[code]
        assert str(caught.value) == f"submitting to braket:garnet: {code}: no more"


def test_a_device_that_is_paused_takes_no_task(server, garnet):
    fail(server, Fault.DEVICE_PAUSED, "*", times=None)
    with pytest.raises(NotAcceptedError):
        garnet.submit({KEY: job()}, KEY)
    assert tasks(server) == []


def test_expired_credentials_are_asked_for_anew(server, garnet):
    task = garnet.submit({KEY: job()}, KEY)
    fail(server, Fault.EXPIRED_TOKEN, "status")
    with pytest.raises(CredentialsError, match=r"\(ExpiredTokenException\); renew them"):
        garnet.status(task, KEY)
    assert wait(garnet, task).state is JobState.DONE


def test_wrong_and_missing_credentials(server, garnet, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "WRONGACCESSKEY000001")
    with pytest.raises(CredentialsError, match="UnrecognizedClientException") as wrong:
        garnet.submit({KEY: job()}, KEY)
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(CredentialsError, match="set AWS_ACCESS_KEY_ID") as missing:
        garnet.find(KEY)
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    with pytest.raises(CredentialsError, match="AWS_PROFILE"):
        garnet.find(KEY)
    assert tasks(server) == []
    for error in (wrong, missing):
        assert SECRET_KEY not in str(error.value)
        assert "WRONGACCESSKEY" not in str(error.value)
        assert "Signature" not in str(error.value)
        assert "\n" not in str(error.value)


ODD = (b"", b"[]", b"[" * 100_000, b'{"quantumTasks": 7}')


@pytest.mark.parametrize("answer", ODD, ids=lambda answer: repr(answer[:20]))
@pytest.mark.parametrize("operation", ["submit", "find", "status", "charge"])
def test_an_answer_that_cannot_be_read_is_in_doubt(server, garnet, monkeypatch, operation, answer):
    task = garnet.submit({KEY: job()}, KEY)
    wait(garnet, task)
    route = "status" if operation == "charge" else operation
    server.http.routes = [
        evolve(known, answer=lambda request: Response(200, answer))
        if known.operation == route
        else known
        for known in server.http.routes
    ]
    ask = {
        "submit": lambda: garnet.submit({"1" * 32: job()}, "1" * 32),
        "find": lambda: garnet.find(KEY),
        "status": lambda: garnet.status(task, KEY),
        "charge": lambda: garnet.charge(task),
    }[operation]
    with pytest.raises(UnavailableError) as error:
        ask()
    assert str(error.value).isprintable()
