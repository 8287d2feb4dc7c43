"""A device's own file: what is read, and every mistake with its line."""

from pathlib import Path

import pytest

from backends.devices.reading import read_device
from compiler.errors import TargetError
from compiler.targets import target_from_spec
from compiler.targets.device import known_device
from compiler.targets.readout import ReadoutError, readout_errors

SQUARE = Path(__file__).with_name("square.toml").read_text()


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a device's file."""

    def write(text: str, name: str = "dev.toml") -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_a_file_becomes_a_target(written):
    spec = read_device(written(SQUARE))
    target = target_from_spec(spec)
    assert target.num_qubits == 4
    both_ways = {(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)}
    assert set(target["cz"]) == both_ways
    assert {e: p.error for e, p in target["cz"].items()} == {
        edge: 9e-3 if set(edge) == {0, 1} else 4e-3 for edge in both_ways
    }
    assert target["cz"][0, 1].duration == pytest.approx(68e-9)
    assert [target["sx"][q,].error for q in range(4)] == [3e-4, 3e-4, 3e-4, 1e-3]
    assert [p.t1 for p in target.qubit_properties] == pytest.approx([120e-6] * 3 + [60e-6])
    assert [p.t2 for p in target.qubit_properties] == pytest.approx([90e-6] * 4)
    assert target["measure"][3,].error == 0.05
    assert target["measure"][0,].duration == pytest.approx(1.5e-6)
    assert readout_errors(spec) == {
        **dict.fromkeys(range(3), ReadoutError(0.01, 0.02)),
        3: ReadoutError(0.05, 0.05),
    }


def test_t2_is_at_most_twice_t1(written, caplog):
    path = written(SQUARE.replace("t1_us = 120", "t1_us = 40"), "long.toml")
    times = target_from_spec(read_device(path)).qubit_properties
    assert [one.t2 for one in times] == pytest.approx([80e-6] * 3 + [90e-6])
    read_device(path)
    assert caplog.messages == [
        f"warning: {path}: T2 is longer than 2·T1 on qubits 0, 1, 2; 2·T1 is taken instead"
    ]


def test_another_calibration_is_another_target(written):
    first = read_device(written(SQUARE))
    second = read_device(written(SQUARE.replace("9e-3", "8e-3")))
    assert first != second
    assert first == read_device(written(SQUARE))
    assert known_device(first).gates["cz"][0].error == 9e-3


def test_the_example_is_read():
    example = Path(__file__).parents[3] / "examples/devices/square-nine.toml"
    coupling = target_from_spec(read_device(example)).build_coupling_map()
    assert len(coupling.get_edges()) == 2 * 12
    assert coupling.distance(0, 8) == 4


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("cz = {", "zz = {", 9, "unknown gate 'zz'"),
        ("[2, 3]", "[2, 9]", 4, "edge 2-9: there is no qubit 9; they are 0 to 3"),
        ("[2, 3]", "[2, 2]", 4, "joins a qubit to itself"),
        ("[2, 3]", "[2, 1], [2, 3]", 4, "edge 2-1 is named twice"),
        ("[1, 2],", "", 3, "no edges lead from qubit 0 to qubit 2"),
        ("error = 4e-3", "error = 1.5", 9, "less than or equal to 1"),
        ("duration_ns = 68", "duration = 68", 9, "write duration_ns"),
        ("t1_us = 60", "t1_ms = 60", 19, "write t1_us"),
        ("one_for_zero = 0.01\n", "", 13, "write error, or one_for_zero and zero_for_one"),
        ("[qubit.3]", "[qubit.4]", 18, "there is no qubit 4"),
        ("gates.sx", "gates.x", 20, "'x' is no native gate on a qubit; native there: rz, sx"),
        ("[edge.0-1]", "[edge.0-2]", 23, "there is no edge '0-2'"),
        ("gates.cz", "gates.rz", 24, "'rz' is no native gate on an edge; native there: cz"),
        ("qubits = 4\n", "", 1, "'qubits' is missing"),
        ('"square"', '"a b"', 1, "name: "),
        ("t2_us = 90", "colour = 3", 6, "'colour' is unknown; see docs/devices.md"),
    ],
)
def test_a_mistake_is_told_with_its_line(written, old, new, line, message):
    assert old in SQUARE
    path = written(SQUARE.replace(old, new, 1))
    with pytest.raises(TargetError) as error:
        read_device(path)
    assert str(error.value).startswith(f"{path}, line {line}: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("qubits = [", "a.toml", "not TOML"),
        ('{"qubits": 3,\n "edges"', "a.json", "line 2: not JSON"),
        ("[1, 2]", "a.json", "describes no device"),
        ("\xff", "a.toml", "not TOML"),
        (SQUARE.replace("cz =", "csx ="), "a.toml", "in csx, rz, sx; gates that do"),
        (SQUARE.split("[gates]", maxsplit=1)[0] + 'gates = ["sx"]', "a.toml", "no gate on two"),
        (
            SQUARE.split("[qubit.3]", maxsplit=1)[0].replace("sx =", "ry ="),
            "a.toml",
            "not every circuit can be written in cz, ry, rz",
        ),
    ],
)
def test_what_is_no_device(written, text, name, message):
    with pytest.raises(TargetError, match="a\\.") as error:
        read_device(written(text.replace("edge.0-1]\ngates.cz", "edge.0-1]\ngates.csx")
                            if "csx" in text else text, name))  # fmt: skip
    assert message in str(error.value)


def test_a_missing_file():
    with pytest.raises(TargetError, match=r"nowhere\.toml: cannot be read"):
        read_device(Path("nowhere.toml"))
