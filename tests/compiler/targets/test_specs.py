"""Targets by name, and their topologies."""

from pathlib import Path

import networkx as nx
import pytest
from qiskit_ibm_runtime import fake_provider

from compiler.errors import TargetError, UnknownNameError
from compiler.targets import sized_spec, square, target_from_spec
from compiler.targets.heavy_hex import lattice
from compiler.targets.ibm_devices import lattice_of, snapshot, snapshot_spec


@pytest.mark.parametrize(
    ("spec", "qubits", "gates"),
    [
        ("all:5:iqm", 5, {"cz", "r"}),
        ("star:17", 17, {"cx", "rz", "sx", "x"}),
        ("star:6:iqm", 6, {"cz", "r"}),
        ("square:2000:cx", 2000, {"cx", "rz", "sx", "x"}),
        ("heavy-hex:2000", 2000, {"cz", "rz", "sx", "x"}),
    ],
)
def test_size_and_native_gates(spec, qubits, gates):
    target = target_from_spec(spec)
    assert target.num_qubits == qubits
    assert set(target.operation_names) == gates | {"measure"}
    assert target.description == spec


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("star", "target 'star:': the size must be a whole number from 2 to 2000"),
        ("all:1", "target 'all:1': the size must be a whole number from 2 to 2000"),
        ("heavy-hex:torino:cz", "target 'heavy-hex:torino' has its own native gates; leave out"),
        ("resonator:4:cx", "target 'resonator:4' has its own native gates"),
        ("star:4:ecr", "unknown gate set 'ecr'; known: cx, cz, iqm"),
        ("all:4:CX", "unknown gate set 'CX'; did you mean 'cx'?"),
        ("star:4:cx:5", "target 'star:4:cx:5': write family:size:gates, such as star:17:cz"),
        (
            "heavy-hex:miami",
            "target 'heavy-hex:miami': the size must be a whole number from 2 to 2000 "
            "or a device of 'stichwerk targets'; did you mean 'square:miami'?",
        ),
        ("device:ibm_boston", "target 'device:ibm_boston' is not known here; did you mean 'heavy-"),
        ("iqm:garnett", "target 'iqm:garnett': unknown device; did you mean 'iqm:garnet'?"),
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
        ("sta:4", "unknown target 'sta'; did you mean 'star'?"),
        ("torino", "unknown target 'torino'; did you mean 'heavy-hex:torino'?"),
        ("ibm_bostn", "unknown target 'ibm_bostn'; did you mean 'heavy-hex:boston'?"),
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
        ("star::iqm", "star:9:iqm"),
        ("heavy-hex:torino", "heavy-hex:torino"),
        ("heavy-hex:5:cx", "heavy-hex:5:cx"),
    ],
)
def test_a_size_that_is_left_out_is_filled_in(spec, complete):
    assert sized_spec(spec, 9) == complete


def edges(target):
    return set(target.build_coupling_map().get_edges())


@pytest.mark.parametrize("size", [2, 17])
def test_a_star_couples_its_hub_to_every_leaf_both_ways(size):
    leaves = range(1, size)
    expected = {(0, leaf) for leaf in leaves} | {(leaf, 0) for leaf in leaves}
    assert edges(target_from_spec(f"star:{size}")) == expected
    assert edges(target_from_spec(f"star:{size}:iqm")) == expected


def test_all_couples_every_pair():
    target = target_from_spec("all:5")
    assert target.build_coupling_map() is None
    assert all(
        target.instruction_supported("cx", (a, b)) for a in range(5) for b in range(5) if a != b
    )
    assert not target.instruction_supported("cx", (0, 5))


@pytest.mark.parametrize("size", [2, 23, 60])
def test_heavy_hex_cuts_are_connected_patches_of_a_heavy_hex_lattice(size):
    """Cells have twelve qubits, ten at the edge of the code lattice; forks are never neighbours."""
    graph = nx.Graph(lattice(size))
    assert sorted(graph.nodes) == list(range(size))
    assert nx.is_connected(graph)
    assert max(degree for _, degree in graph.degree) <= 3
    assert nx.is_bipartite(graph)
    assert {len(cycle) for cycle in nx.minimum_cycle_basis(graph)} <= {10, 12}
    branching = [qubit for qubit, degree in graph.degree if degree == 3]
    assert not any(graph.has_edge(a, b) for a in branching for b in branching)
    assert len(set(lattice(size))) == graph.number_of_edges()
    both_ways = {pair for a, b in graph.edges for pair in ((a, b), (b, a))}
    assert edges(target_from_spec(f"heavy-hex:{size}")) == both_ways


@pytest.mark.parametrize("size", [2, 10, 37])
def test_square_patches_are_connected_parts_of_a_square_lattice(size):
    graph = nx.Graph(square.lattice(size))
    assert sorted(graph.nodes) == list(range(size))
    assert nx.is_connected(graph)
    assert nx.is_bipartite(graph)
    assert max(degree for _, degree in graph.degree) <= 4
    assert {len(cycle) for cycle in nx.minimum_cycle_basis(graph)} <= {4}
    assert edges(target_from_spec(f"square:{size}")) == set(graph.to_directed().edges)


@pytest.mark.parametrize(("name", "qubits"), [("torino", 133), ("miami", 120)])
def test_devices_are_those_of_ibm_without_couplers_that_no_circuit_should_use(name, qubits):
    family = "square" if name == "miami" else "heavy-hex"
    target = target_from_spec(f"{family}:{name}")
    device = getattr(fake_provider, f"Fake{name.title()}")().target
    assert target.num_qubits == qubits
    assert set(target.operation_names) == set(device.operation_names)
    dead = {
        qubit
        for gate in ("x", "sx", "measure")
        for (qubit,), properties in device[gate].items()
        if properties.error == 1
    }
    assert set(target["cz"]) == {
        pair
        for pair, properties in device["cz"].items()
        if properties.error < 1 and dead.isdisjoint(pair)
    }
    assert set(target["cz"]) < set(device["cz"])
    for gate in ("cz", "sx", "measure"):
        for places, properties in target[gate].items():
            assert properties.error == device[gate][places].error
            assert properties.duration == device[gate][places].duration > 0
    assert target.dt == device.dt


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:Properties of fake_nighthawk")
def test_every_snapshot_has_a_lattice():
    """The SDK's own list of fake devices, each with a usable coupler, or refused."""
    for device in fake_provider.FakeProviderForBackendV2().backends():
        name = Path(device.dirname).name
        assert snapshot(name).name == device.name
        if name in ("armonk", "kyoto"):  # one qubit; only dead couplers
            with pytest.raises(TargetError):
                target_from_spec(snapshot_spec(name))
            continue
        coupled = nx.Graph(sorted(edges(target_from_spec(snapshot_spec(name)))))
        cells = {len(cycle) for cycle in nx.minimum_cycle_basis(coupled)}
        assert (lattice_of(name) == "heavy-hex") <= (min(cells, default=12) >= 12)
