import pytest
import rustworkx as rx

from compiler.errors import TargetError
from compiler.targets import target_families, target_from_spec
from compiler.targets.iqm import GROUPS
from compiler.targets.readout import ReadoutError, readout_errors


@pytest.mark.parametrize(
    ("device", "qubits", "couplers"), [("garnet", 20, 30), ("emerald", 54, 81)]
)
def test_a_device_has_its_native_gates_and_calibrated_couplers(device, qubits, couplers):
    target = target_from_spec(f"iqm:{device}")
    assert target.num_qubits == qubits
    assert set(target.operation_names) == {"r", "cz", "measure"}
    assert len(target["cz"]) == 2 * couplers
    assert all(0 < p.error < 0.04 for p in target["cz"].values())
    assert all(0 < p.error < 0.08 for p in target["r"].values())
    assert all(0 < p.error < 0.05 for p in target["measure"].values())
    assert all(target["cz"][a, b].error == target["cz"][b, a].error for a, b in target["cz"])


def test_feed_forward_stays_within_a_group():
    whole, inner = (target_from_spec(f"iqm:garnet{v}") for v in ("", ":feed-forward"))
    assert [len(group) for group in GROUPS["garnet"]] == [6, 14]
    assert sorted(qubit for group in GROUPS["garnet"] for qubit in group) == list(range(20))
    # A group is a connected piece of the lattice, as the figure shows it.
    graph = whole.build_coupling_map().graph.to_undirected(multigraph=False)
    assert all(rx.is_connected(graph.subgraph(sorted(group))) for group in GROUPS["garnet"])
    kept = {pair for pair in whole["cz"] if GROUPS["garnet"][1].issuperset(pair)}
    assert set(inner["cz"]) == kept
    assert all(inner["cz"][pair].error == whole["cz"][pair].error for pair in kept)
    assert set(inner["r"]) == set(whole["r"])
    with pytest.raises(TargetError, match="leave out ':feed-forward'"):
        target_from_spec("iqm:emerald:feed-forward")


def test_couplers_lie_on_a_square_lattice():
    for device, alone in (("garnet", []), ("emerald", [24])):
        graph = (
            target_from_spec(f"iqm:{device}")
            .build_coupling_map()
            .graph.to_undirected(multigraph=False)
        )
        parts = sorted(rx.connected_components(graph), key=len)
        assert [min(part) for part in parts[:-1]] == alone
        assert max(graph.degree(q) for q in graph.node_indices()) == 4
        assert rx.is_bipartite(graph)


def test_calibrated_values_are_those_of_the_device():
    target = target_from_spec("iqm:garnet")
    assert target["cz"][8, 9].error == pytest.approx(1 - 0.9874011987628732, abs=1e-6)
    assert target["r"][18,].error == pytest.approx(1 - 0.9996405112039688, abs=1e-6)
    assert target.qubit_properties[0].t1 == pytest.approx(26.626e-6)
    assert target.qubit_properties[0].t2 == pytest.approx(8.376e-6)
    assert readout_errors("iqm:garnet")[0] == ReadoutError(0.0183, 0.0183)
    unknown = [
        q for q, p in enumerate(target_from_spec("iqm:emerald").qubit_properties) if not p.t1
    ]
    assert unknown == [24]


@pytest.mark.parametrize("spec", ["iqm:deneb", "iqm:5", "iqm:", "iqm", "iqm:garnet:cx"])
def test_other_specs_are_refused(spec):
    with pytest.raises(TargetError, match="iqm:"):
        target_from_spec(spec)


def test_its_devices_are_listed():
    assert target_families["iqm"].devices == ("garnet", "emerald")
