"""The command `providers`: both simulated providers, until it is interrupted."""

import json
import signal
import socket
import subprocess
import sys
from urllib.request import urlopen

import pytest

from service.cli import main

COMMAND = [sys.executable, "-c", "from service.cli import main; main()", "providers"]


def test_both_providers_answer_where_the_exports_lead():
    with subprocess.Popen(
        [*COMMAND, "--fault", "cut-after:submit:1", "--queue-seconds", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        exports = {}
        while "AWS_ENDPOINT_URL_STS" not in exports:
            word, _, rest = process.stdout.readline().strip().partition(" ")
            assert word == "export"
            name, _, value = rest.partition("=")
            exports[name] = value
        for name in ("STICHWERK_IBM_URL", "AWS_ENDPOINT_URL_BRAKET"):
            url = exports[name].removesuffix("/api/v1")
            with urlopen(f"{url}/audit") as answer:
                assert json.load(answer) == []
            with urlopen(f"{url}/faults") as answer:
                assert [rule["fault"] for rule in json.load(answer)] == ["cut-after"]
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130


def test_a_fault_that_is_none_and_a_port_in_use_are_refused(capsys):
    with pytest.raises(SystemExit) as code:
        main(["providers", "--fault", "burn"])
    assert code.value.code == 2
    assert "FAULT[:OPERATION[:AMOUNT[:SECONDS]]]" in capsys.readouterr().err
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(SystemExit) as code:
        main(["providers", "--port-ibm", str(taken.getsockname()[1])])
    assert code.value.code == 2
    assert "127.0.0.1" in capsys.readouterr().err
