"""Files, devices, runs and Skat on the command line."""

import json

import pytest

from service.cli import main

from .circuits import HEAD_2, HEAD_3

ORDER = (
    HEAD_3 + "qubit[4] q;\nbit[2] lo;\nbit[2] hi;\nx q[2];\nx q[3];\ncx q[2], q[0];\nx q[0];\n"
    "lo[1] = measure q[2];\nhi[0] = measure q[3];\nlo[0] = measure q[0];\nhi[1] = measure q[1];\n"
)
FAST = ("--method", "fast", "--processes", "1")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STICHWERK_DATABASE", str(tmp_path / "records.sqlite"))
    return tmp_path


@pytest.fixture
def call(folder, capfd):
    """Return a function that calls the command line: exit code, stdout, stderr."""

    def called(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        return (int(end.value.code or 0), *capfd.readouterr())

    return called


def test_names_of_files(folder, call):
    odd = folder / "ein größer Schaltkreis.qasm"
    odd.write_text(HEAD_2 + "qreg q[1];\ncreg c[1];\nx q[0];\nmeasure q -> c;\n")
    (folder / "link.qasm").symlink_to(odd)
    (folder / "folder.qasm").mkdir()
    for name in (odd.name, "link.qasm"):
        code, out, _ = call("compile", name, "--target", "all", *FAST, "--json")
        assert (code, json.loads(out)["verified"]) == (0, "exact")
    for name in ("folder.qasm", "missing.qasm", "C:\\circuits\\missing.qasm"):
        code, out, err = call("compile", name, *FAST)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert name in err


@pytest.mark.parametrize("backend", ["sparse", "aer", "braket-local"])
def test_order_of_bits(folder, call, backend):
    """qiskit-ibm-runtime#2904, azure-quantum-python#361, qiskit-braket-provider#190."""
    (folder / "order.qasm").write_text(ORDER)
    code, out, _ = call("run", "order.qasm", "-b", backend, "--shots", "50", *FAST, "--json")
    counts = {bits.replace(" ", ""): n for bits, n in json.loads(out)["counts"].items()}
    assert (code, counts) == (0, {"0110": 50})
