"""SABRE from many seeds, proven on small lattices and on a real device."""

import pytest
from qiskit import QuantumCircuit

from compiler.errors import TargetError
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.mirror.source import Source
from compiler.lowering.sweep.sabre_sweep import sabre_sweep, swept
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec

from ..routed_drafts import assert_does_the_same, random_gates


def two_qubit_gates(draft):
    return draft.circuit.num_nonlocal_gates()


@pytest.mark.parametrize("spec", ["heavy-hex:7", "heavy-hex:torino", "star:7:iqm"])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_circuits(spec, seed):
    circuit, target = random_gates(6, 15, seed), target_from_spec(spec)
    circuit.ccx(3, 1, 5)
    circuit.swap(0, 2)
    draft = sabre_sweep.run(Draft.of(circuit), Setting(target, seed=seed, budget=6))
    assert_does_the_same(circuit, draft, target)


def test_more_seeds_are_no_worse_and_a_seed_gives_the_same():
    circuit, target = random_gates(6, 15, 3), target_from_spec("heavy-hex:16")
    few, many, again = (
        sabre_sweep.run(Draft.of(circuit), Setting(target, budget=budget)) for budget in (2, 5, 5)
    )
    assert many.circuit == again.circuit
    assert (many.initial_layout, many.final_layout) == (again.initial_layout, again.final_layout)
    assert two_qubit_gates(many) <= two_qubit_gates(few)


def test_layouts_of_earlier_passes_are_kept():
    circuit, target = random_gates(5, 10, 4), target_from_spec("heavy-hex:5")
    draft = sabre_sweep.run(Draft.of(circuit), Setting(target, budget=2))
    turned = sabre_sweep.run(
        Draft(circuit, (4, 3, 2, 1, 0), (0, 2, 1, 3, 4)), Setting(target, budget=2)
    )
    assert turned.initial_layout == draft.initial_layout[::-1]
    assert turned.final_layout == tuple(draft.final_layout[q] for q in (0, 2, 1, 3, 4))


def test_circuits_that_do_not_fit_are_refused():
    with pytest.raises(TargetError, match="6 qubits do not fit on 5"):
        sabre_sweep.run(Draft.of(random_gates(6, 9, 0)), Setting(target_from_spec("heavy-hex:5")))


def test_no_further_seed_is_tried_where_swaps_take_no_gate_and_would_save_none():
    target = target_from_spec("heavy-hex:7")
    chain, exchange = circuit_from_spec("ghz:5", 0), QuantumCircuit(2)
    exchange.rxx(1.5707963267948966, 0, 1)
    exchange.ryy(1.5707963267948966, 0, 1)

    def tried(circuit, **options):
        setting = Setting(target, **options)
        found = swept(Source.in_blocks(Draft.of(circuit), setting), setting, 40)
        return len(found), found[0].cost

    assert tried(chain, any_input=True) < (40, 4)
    assert tried(chain, any_input=True)[1] == 4
    assert tried(chain) == (40, 4)
    assert tried(chain, any_input=True, objective="two_qubit_depth") == (40, 4)
    assert tried(exchange, any_input=True)[0] == 40, "it is a swap and one CX"
