"""What target specs mean, and how mistakes in them are named."""

import pytest

from compiler.errors import TargetError, UnknownNameError
from compiler.targets import sized_spec, target_families, target_from_spec


@pytest.mark.parametrize(
    ("spec", "qubits", "gates"),
    [
        ("all:2", 2, {"cx", "rz", "sx", "x"}),
        ("all:17", 17, {"cx", "rz", "sx", "x"}),
        ("all:5:cz", 5, {"cz", "rz", "sx", "x"}),
        ("all:5:iqm", 5, {"cz", "r"}),
        ("star:17", 17, {"cx", "rz", "sx", "x"}),
        ("star:6:cz", 6, {"cz", "rz", "sx", "x"}),
        ("star:6:iqm", 6, {"cz", "r"}),
        ("square:23", 23, {"cz", "rz", "sx", "x"}),
        ("square:2000:cx", 2000, {"cx", "rz", "sx", "x"}),
        ("heavy-hex:23", 23, {"cz", "rz", "sx", "x"}),
        ("heavy-hex:23:cx", 23, {"cx", "rz", "sx", "x"}),
        ("heavy-hex:2000", 2000, {"cz", "rz", "sx", "x"}),
    ],
)
def test_size_and_native_gates(spec, qubits, gates):
    target = target_from_spec(spec)
    assert target.num_qubits == qubits
    assert set(target.operation_names) == gates | {"measure"}
    assert target.description == spec


@pytest.mark.parametrize("spec", ["all:4", "star:4", "heavy-hex:4"])
def test_every_qubit_has_every_one_qubit_gate_and_a_measurement(spec):
    target = target_from_spec(spec)
    for name in ("rz", "sx", "x", "measure"):
        assert all(target.instruction_supported(name, (qubit,)) for qubit in range(4))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("star", "target 'star:': the size must be a whole number from 2 to 2000"),
        ("star:", "target 'star:': the size must be a whole number from 2 to 2000"),
        ("star::iqm", "target 'star:': the size must be a whole number from 2 to 2000"),
        ("all:1", "target 'all:1': the size must be a whole number from 2 to 2000"),
        ("all:2001", "target 'all:2001': the size must be a whole number from 2 to 2000"),
        ("star:-3", "target 'star:-3': the size must be a whole number"),
        ("star:4.0", "target 'star:4.0': the size must be a whole number"),
        ("star:²", "target 'star:²': the size must be a whole number"),
        ("star:٤", "target 'star:٤': the size must be a whole number"),
        ("star:torino", "target 'star:torino': the size must be a whole number from 2 to 2000"),
        ("heavy-hex:turin", "target 'heavy-hex:turin'"),
        ("heavy-hex:torino:cz", "target 'heavy-hex:torino' has its own native gates; leave out"),
        ("star:4:ecr", "unknown gate set 'ecr'; known: cx, cz, iqm"),
        ("all:4:CX", "unknown gate set 'CX'; did you mean 'cx'?"),
        ("heavy-hex:9:ion", "unknown gate set 'ion'; known: cx, cz, iqm"),
        ("star:4:cx:5", "target 'star:4:cx:5': write family:size:gates, such as star:17:cz"),
        (
            "heavy-hex:miami",
            "target 'heavy-hex:miami': the size must be a whole number from 2 to 2000 "
            "or a device of 'stichwerk targets'; did you mean 'square:miami'?",
        ),
        ("square:9:ion", "unknown gate set 'ion'; known: cx, cz, iqm"),
        ("square:boston", "target 'square:boston'"),
        ("heavy-hex:kyoto", "target 'heavy-hex:kyoto': its snapshot has no usable coupler"),
    ],
)
def test_mistakes_are_named(spec, message):
    with pytest.raises(TargetError) as error:
        target_from_spec(spec)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "unknown target ''; known: "),
        ("grid:4", "unknown target 'grid'; known: "),
        ("sta:4", "unknown target 'sta'; did you mean 'star'?"),
        ("Star:4", "unknown target 'Star'; did you mean 'star'?"),
        ("torino", "unknown target 'torino'; did you mean 'heavy-hex:torino'?"),
        ("ibm:boston", "unknown target 'ibm:boston'; did you mean 'heavy-hex:boston'?"),
        ("Garnett", "unknown target 'Garnett'; did you mean 'iqm:garnet'?"),
    ],
)
def test_unknown_families_are_named(spec, message):
    for read in (target_from_spec, lambda spec: sized_spec(spec, 4)):
        with pytest.raises(UnknownNameError) as error:
            read(spec)
        assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("spec", "complete"),
    [
        ("all", "all:9"),
        ("star:", "star:9"),
        ("star::iqm", "star:9:iqm"),
        ("star:5", "star:5"),
        ("heavy-hex", "heavy-hex:9"),
        ("heavy-hex:torino", "heavy-hex:torino"),
        ("heavy-hex:5:cx", "heavy-hex:5:cx"),
    ],
)
def test_a_size_that_is_left_out_is_filled_in(spec, complete):
    assert sized_spec(spec, 9) == complete


def test_families_have_a_line_for_lists():
    assert {"all", "star", "heavy-hex"} <= set(target_families)
    for name, family in target_families.items():
        assert family.summary.startswith(f"{name}:")
    assert target_families["heavy-hex"].devices[0] == "boston"
    assert target_families["square"].devices[:2] == ("miami", "berlin")
