"""IBM's machines: accounts, tokens, and secrets that show nowhere."""

import pytest
from qiskit_ibm_runtime import QiskitRuntimeService

from backends import (
    BackendError,
    CredentialsError,
    backend_from_spec,
)
from tests.backends.ibm.simulated import (
    ACCOUNT_FILE,
    KEYS,
    SECRET,
    accepted,
    fail,
    job,
    until_ended,
)
from tests.servers.provider_simulators.faults import Fault


def test_a_token_that_ran_out_is_renewed(ibm, torino):
    id = torino.submit({KEYS[0]: job()}, KEYS[0])
    ibm.access.revoke()
    assert torino.find(KEYS[0]) == [id]
    ibm.access.revoke()
    assert torino.submit({KEYS[1]: job()}, KEYS[1]) == accepted(ibm, KEYS[1])[0]


def test_wrong_or_missing_credentials_are_told_without_them(ibm, monkeypatch, caplog):
    backend = backend_from_spec("ibm:torino")
    monkeypatch.setenv("QISKIT_IBM_TOKEN", "wrong-and-secret")
    with pytest.raises(CredentialsError, match="does not accept") as error:
        backend.submit({KEYS[0]: job()}, KEYS[0])
    assert "secret" not in f"{error.value}{caplog.text}"
    monkeypatch.delenv("QISKIT_IBM_TOKEN")
    monkeypatch.setattr(ACCOUNT_FILE, "/nowhere")
    with pytest.raises(CredentialsError, match="QISKIT_IBM_TOKEN"):
        backend.submit({KEYS[0]: job()}, KEYS[0])


@pytest.mark.parametrize("instance", [None, "simulated"])
def test_a_saved_account_is_used_whether_its_instance_is_named_or_not(
    ibm, monkeypatch, tmp_path, instance
):
    file = str(tmp_path / "accounts.json")
    QiskitRuntimeService.save_account(token=SECRET, instance=instance, filename=file)
    monkeypatch.setattr(ACCOUNT_FILE, file)
    for name in ("QISKIT_IBM_TOKEN", "QISKIT_IBM_INSTANCE"):
        monkeypatch.delenv(name)
    id = backend_from_spec("ibm:torino").submit({KEYS[0]: job()}, KEYS[0])
    assert accepted(ibm) == [id]


def test_an_instance_that_is_none_of_the_account_is_told(ibm, monkeypatch):
    monkeypatch.setenv("QISKIT_IBM_INSTANCE", "crn:v1:bluemix:public:x:us-east:a/b:another::")
    with pytest.raises(CredentialsError, match="QISKIT_IBM_INSTANCE"):
        backend_from_spec("ibm:torino").find(KEYS[0])


def test_credentials_revoked_in_between_are_told(ibm, torino, monkeypatch):
    ibm.access.revoke()
    with monkeypatch.context() as changed, pytest.raises(CredentialsError):
        changed.setattr(ibm.access, "api_key", "another")
        torino.find(KEYS[0])
    assert torino.find(KEYS[0]) == []


@pytest.mark.parametrize(
    "fault", [Fault.TOO_MANY_REQUESTS, Fault.CUT_AFTER, Fault.EXPIRED_TOKEN, Fault.CORRUPT_RESULT]
)
def test_no_message_holds_a_secret(ibm, torino, fault, caplog):
    caplog.set_level("DEBUG")
    id = torino.submit({KEYS[0]: job()}, KEYS[0])
    until_ended(torino, id)
    fail(ibm, fault, "*", times=None)
    told = []
    for ask in (
        lambda: torino.submit({KEYS[1]: job()}, KEYS[1]),
        lambda: torino.find(KEYS[0]),
        lambda: torino.status("unknown", KEYS[0]),
        lambda: torino.raw_result(id),
        lambda: torino.cancel(id),
    ):
        try:
            ask()
        except BackendError as error:
            assert "\n" not in str(error)
            told += [str(error), repr(error)]
    secrets = [SECRET, *ibm.access.issued()]
    assert not [secret for secret in secrets if secret in "".join([*told, caplog.text])]
