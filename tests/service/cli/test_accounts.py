"""Commands that ask a provider by themselves, without an account: refused before they compile."""

import pytest

from backends import UnavailableError
from backends.ibm.backend import IBMProvider
from tests.service.conftest import TWO_CARDS

COMMANDS = [
    ("advise", "two-cards.toml", "--backend", "ibm:torino"),
    ("train", "skat-4", "--seat", "1", "--backend", "sparse,ibm:torino"),
    ("run", "toy.toml", "--backend", "ibm:torino"),
]


@pytest.fixture(autouse=True)
def nobody(folder, monkeypatch):
    """There is no account, neither in the environment nor saved."""
    for name in ("QISKIT_IBM_TOKEN", "QISKIT_IBM_INSTANCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    (folder / "two-cards.toml").write_text(TWO_CARDS)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one[0])
def test_no_account_is_one_clear_line(folder, stichwerk, command):
    done = stichwerk(*command)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("stichwerk: 'ibm:torino': no IBM account: set QISKIT_IBM_TOKEN and")
    assert len(done.err.splitlines()) == 1
    assert not (folder / "stichwerk.sqlite").exists()


def test_workers_have_accounts_of_their_own(stichwerk, monkeypatch):
    monkeypatch.setenv("STICHWERK_REDIS", "redis://127.0.0.1:1/0")
    queued = ("--backend", "ibm:torino", "--queue", "--steps", "1", "--json")
    done = stichwerk("train", "skat-4", "--seat", "1", *queued)
    assert done.code == 0, done.err


def test_a_provider_that_is_away_is_waited_for(stichwerk, monkeypatch):
    """It may be there by the time that the circuit is compiled."""

    def away(*_):
        raise UnavailableError("'ibm:torino': the connection to IBM failed or took too long")

    def compiling(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(IBMProvider, "find", away)
    monkeypatch.setattr("service.cli.run.compile_and_verify", compiling)
    assert stichwerk(*COMMANDS[-1]).code == 130
