"""Circuits that fit a device for long: their windows, and swaps from one to the next."""

import numpy as np
import pytest

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.embeddings.fewest_swaps import fewest_swaps
from compiler.lowering.embeddings.routing import embedded_route
from compiler.lowering.embeddings.running import gates_of
from compiler.lowering.embeddings.windows import Embedder, layout_around, windows
from compiler.lowering.mirror.problem import device_of
from compiler.lowering.mirror.realise import SWAP
from compiler.lowering.mirror.source import Source, largest_component
from compiler.lowering.sweep.sabre_sweep import sabre_sweep, searched
from compiler.public_circuits.qubikos import known_routing
from compiler.targets import target_from_spec
from compiler.verification.equivalence import verify_equivalent

from ..routed_drafts import random_gates

TORINO = target_from_spec("heavy-hex:torino")
COUPLING = TORINO.build_coupling_map()


def source_of(circuit, **settings):
    setting = Setting(TORINO, any_input=True, **settings)
    return Source.in_blocks(Draft.of(circuit), setting), setting


def embedder():
    qubits, edges = largest_component(TORINO, 2)
    return Embedder(len(qubits), edges)


@pytest.mark.parametrize("seed", [0, 1])
def test_windows_end_where_the_fewest_swaps_are(seed):
    known = known_routing(COUPLING, 5, seed)
    pairs = [
        tuple(known.circuit.find_bit(qubit).index for qubit in item.qubits)
        for item in known.circuit.data
        if len(item.qubits) == 2
    ]
    found = windows(embedder(), pairs)
    assert [window.end for window in found[:-1]] == [gates for gates, _ in known.swaps]
    assert [window.begin for window in found[1:]] == [window.end for window in found[:-1]]
    assert found[-1].end == len(pairs)


def test_a_layout_couples_the_pairs_of_a_window_and_places_others_as_they_are_next():
    look = embedder()
    found = windows(look, [(0, 1), (1, 2), (1, 3), (1, 4), (4, 5)])
    assert [(window.begin, window.end) for window in found] == [(0, 3), (3, 5)]
    layout = layout_around(look, found, 0, 6)
    _, edges = largest_component(TORINO, 2)
    coupled = {frozenset(edge) for edge in edges.tolist()}
    assert all(frozenset(layout[wire] for wire in pair) in coupled for pair in found[0].pairs)
    assert frozenset((layout[4], layout[5])) in coupled
    assert len(set(layout.values())) == 6


def test_pairs_that_no_layout_couples_have_no_embedding():
    assert embedder().embedding([(0, 1), (1, 2), (2, 0)]) is None
    assert embedder().embedding([(0, wire) for wire in range(1, 5)]) is None


@pytest.mark.parametrize(("swaps", "seed"), [(5, 1), (10, 0)])
def test_swaps_are_the_fewest(swaps, seed):
    source, setting = source_of(known_routing(COUPLING, swaps, seed).circuit)
    found = embedded_route(source, setting)
    assert found.swaps == swaps
    assert found.is_short
    (routed,) = searched(source, setting)
    assert routed.swaps == swaps


def test_what_is_routed_does_the_same_on_any_input():
    circuit = known_routing(COUPLING, 3, 4).circuit
    draft = sabre_sweep.run(Draft.of(circuit), Setting(TORINO, any_input=True))
    assert draft.circuit.num_nonlocal_gates() <= circuit.count_ops()["cx"] + 3 * 3
    verify_equivalent(circuit, draft, TORINO)


def test_nothing_is_embedded_where_gates_are_anywhere_or_qubits_have_to_start_somewhere():
    source, setting = source_of(random_gates(40, 200, 0))
    assert embedded_route(source, setting) is None
    circuit = known_routing(COUPLING, 1, 0).circuit
    source, setting = source_of(circuit, start=tuple(range(circuit.num_qubits)))
    assert embedded_route(source, setting) is None


def test_a_search_gives_up_after_so_many_swaps():
    line = np.array([[0, 1], [1, 2], [2, 3], [3, 4]], np.int32)
    gates = gates_of(np.array([[0, 1], [0, 2]], np.int32), 3)
    start = np.array([0, 1, 4], np.int32)
    steps = fewest_swaps(gates, device_of(line), start, 8, 2)
    assert (steps[:, 0] == SWAP).sum() == 2
    assert (steps[:, 0] >= 0).sum() == 1, "three swaps bring wires 0 and 2 together"
    steps = fewest_swaps(gates, device_of(line), start, 8, 5)
    assert (steps[:, 0] == SWAP).sum() == 3
    assert sorted(steps[steps[:, 0] >= 0, 0].tolist()) == [0, 1]
