"""Files, devices, runs and Skat on the command line."""

import json

import pytest

from service.cli import main

from .circuits import HEAD_2, HEAD_3

ORDER = (
    HEAD_3 + "qubit[4] q;\nbit[2] lo;\nbit[2] hi;\nx q[2];\nx q[3];\ncx q[2], q[0];\nx q[0];\n"
    "lo[1] = measure q[2];\nhi[0] = measure q[3];\nlo[0] = measure q[0];\nhi[1] = measure q[1];\n"
)
LINE = """name = "line"
qubits = 5
edges = [[1, 0], [1, 2], [3, 2], [3, 4]]
directed = true
gates = ["cx", "u"]
"""
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


def require_refusal(answer: tuple[int, str, str], *words: str) -> None:
    code, out, err = answer
    assert (code, out, err.count("\n")) == (2, "", 1)
    for word in words:
        assert word in err


def test_names_of_files(folder, call):
    odd = folder / "ein größer Schaltkreis.qasm"
    odd.write_text(HEAD_2 + "qreg q[1];\ncreg c[1];\nx q[0];\nmeasure q -> c;\n")
    (folder / "link.qasm").symlink_to(odd)
    (folder / "folder.qasm").mkdir()
    for name in (odd.name, "link.qasm"):
        code, out, _ = call("compile", name, "--target", "all", *FAST, "--json")
        assert (code, json.loads(out)["verified"]) == (0, "exact")
    for name in ("folder.qasm", "missing.qasm", "C:\\circuits\\missing.qasm"):
        require_refusal(call("compile", name, *FAST), name)


@pytest.mark.parametrize("backend", ["sparse", "aer", "braket-local"])
def test_order_of_bits(folder, call, backend):
    """qiskit-ibm-runtime#2904, azure-quantum-python#361, qiskit-braket-provider#190."""
    (folder / "order.qasm").write_text(ORDER)
    code, out, _ = call("run", "order.qasm", "-b", backend, "--shots", "50", *FAST, "--json")
    counts = {bits.replace(" ", ""): n for bits, n in json.loads(out)["counts"].items()}
    assert (code, counts) == (0, {"0110": 50})


def test_runs_that_make_no_sense(folder, call):
    (folder / "order.qasm").write_text(ORDER)
    (folder / "counts.json").write_text('{"01": 1}')
    (folder / "silent.qasm").write_text(HEAD_2 + "qreg q[2];\nh q[0];\ncx q[0],q[1];\n")
    require_refusal(call("run", "order.qasm", "-b", "sparse", "--expect", "counts.json"), "4")
    require_refusal(call("run", "silent.qasm", "-b", "aer"), "measure")


def test_devices_that_are_refused(folder, call):
    """Qiskit/qiskit#10733, #4110 and #12049, Qiskit/qiskit-aer#1896 and #1779."""
    (folder / "two.toml").write_text(LINE.replace("[1, 2], ", ""))
    (folder / "nan.toml").write_text(LINE + "t2_us = nan\n")
    (folder / "line.toml").write_text(LINE)
    chain = "".join(f"cx q[{n}],q[{n + 1}];\n" for n in range(5))
    (folder / "wide.qasm").write_text(HEAD_2 + f"qreg q[6];\ncreg c[6];\n{chain}measure q -> c;\n")
    require_refusal(call("targets", "two.toml"), "connected")
    require_refusal(call("targets", "nan.toml"), "line 6", "t2_us", "finite")
    require_refusal(call("compile", "wide.qasm", "-t", "line.toml", *FAST), "6 qubits", "reuse")


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        # b0n541/jskat#138: with one by the skat, bid 24: lost, as 30 doubled
        (("hearts", "--matadors", "1", "--points", "70", "--bid", "24"), -60),
        # rnauber/xskat-android#20: with two, one in the skat
        (("hearts hand", "--matadors", "2", "--points", "93"), 50),
        # rnauber/xskat-android#37: not schwarz: 24 · 11 lost doubled
        (("grand ouvert", "--matadors", "4", "--points", "106", "--tricks", "9", "--bid", "44"),
         -528),
    ],
)  # fmt: skip
def test_values_of_skat(call, arguments, value):
    code, out, _ = call("skat", "value", "--json", "--contract", *arguments)
    assert code == 0
    assert f": {value}" in out
