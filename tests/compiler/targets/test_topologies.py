"""Which qubits the targets couple."""

import networkx as nx
import pytest
from qiskit_ibm_runtime.fake_provider import FakeFez, FakeMarrakesh, FakeTorino

from compiler.targets import target_from_spec
from compiler.targets.heavy_hex import lattice

DEVICES = {"torino": FakeTorino, "marrakesh": FakeMarrakesh, "fez": FakeFez}


def edges(target):
    return set(target.build_coupling_map().get_edges())


@pytest.mark.parametrize("size", [2, 3, 17, 60])
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


@pytest.mark.parametrize("size", range(2, 61))
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


def test_heavy_hex_cuts_close_a_cell_when_they_are_large_enough():
    assert nx.cycle_basis(nx.Graph(lattice(60)))


def test_heavy_hex_cuts_are_compact():
    """A breadth-first patch: no qubit is farther from qubit 0 than the last one."""
    distance = nx.single_source_shortest_path_length(nx.Graph(lattice(60)), 0)
    assert [distance[qubit] for qubit in range(60)] == sorted(distance.values())


@pytest.mark.parametrize(("name", "qubits"), [("torino", 133), ("marrakesh", 156), ("fez", 156)])
def test_devices_are_those_of_ibm_without_their_dead_couplers(name, qubits):
    target = target_from_spec(f"heavy-hex:{name}")
    device = DEVICES[name]().target
    assert target.description == f"heavy-hex:{name}"
    assert target.num_qubits == qubits
    assert {"cz", "rz", "sx", "x", "measure"} <= set(target.operation_names)
    assert set(target.operation_names) == set(device.operation_names)
    dead = {pair for pair, properties in device["cz"].items() if properties.error == 1}
    assert set(target["cz"]) == set(device["cz"]) - dead
    for gate in ("cz", "sx", "measure"):
        for places, properties in target[gate].items():
            assert properties.error == device[gate][places].error
            assert properties.duration == device[gate][places].duration > 0
    assert all(properties.error < 1 for properties in target["cz"].values())
    assert target.dt == device.dt
    assert max(degree for _, degree in nx.Graph(list(target["cz"])).degree) <= 3


def test_torino_has_a_dead_coupler_to_leave_out():
    device = FakeTorino().target
    assert len(target_from_spec("heavy-hex:torino")["cz"]) < len(device["cz"])
