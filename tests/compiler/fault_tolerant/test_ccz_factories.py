"""The formulas of Gidney and Fowler, against figures that others have published."""

import pytest

from compiler.fault_tolerant.ccz_factories import (
    Design,
    Factory,
    Gates,
    Qubits,
    cycles,
    surface_code_frontier,
)

HOUR_US = 3.6e9
MICROSECOND = Qubits(error=1e-3, cycle_us=1, reaction_us=0)


def test_the_authors_spreadsheet():
    """Gidney and Fowler, arXiv:1812.01238, ancillary spreadsheet: 10⁸ T and 10⁸ Toffoli gates."""
    gates, factory = Gates(qubits=100, t_gates=10**8, toffolis=10**8), Factory(15, 31)
    left = 0.01 - gates.states * factory.error(MICROSECOND)
    needed = cycles(gates, MICROSECOND, factory, 1)
    design = Design(factory, 1, MICROSECOND.distance_for(left / (gates.tiles * needed)))
    assert design.failure(gates, MICROSECOND) == pytest.approx(0.0084, rel=1e-3)
    assert design.physical_qubits(gates) == pytest.approx(4.00e5, rel=1e-3)
    assert needed / HOUR_US == pytest.approx(7.53, rel=1e-3)


def test_lee_and_others_simulate_chemistry():
    """Lee et al., arXiv:2011.03494, section IV.C: four million qubits at most, under four days."""
    gates, design = (
        Gates(qubits=696, t_gates=0, toffolis=6_665_400_000),
        Design(Factory(17, 29), 4, 33),
    )
    assert design.failure(gates, MICROSECOND) == pytest.approx(0.0077253951, rel=1e-8)
    assert design.physical_qubits(gates) == 2_933_032
    assert cycles(gates, MICROSECOND, design.factory, 4) / HOUR_US == pytest.approx(89.1034375)
    found = surface_code_frontier(gates, MICROSECOND, 0.01).machines
    assert any(one.physical_qubits <= 2_933_032 and one.hours <= 89.11 for one in found)


def test_reactions_bound_the_hours():
    gates = Gates(qubits=50, t_gates=10**7, toffolis=10**7)
    slow = Qubits(error=1e-3, cycle_us=0.4, reaction_us=10)
    found = surface_code_frontier(gates, slow, 0.01).machines
    assert found[0].hours == pytest.approx(2e7 * 10 / HOUR_US)
    assert found[0].factories > found[-1].factories
    hours = [one.hours for one in found]
    assert hours == sorted(hours)
    qubits = [one.physical_qubits for one in found]
    assert qubits == sorted(qubits, reverse=True)


@pytest.mark.parametrize("rate", [1e-4, 2e-9, 1e-15])
def test_the_least_distance_is_taken(rate):
    distance = MICROSECOND.distance_for(rate)
    assert MICROSECOND.logical_error(distance) <= rate * 1.0001
    assert distance == 3 or MICROSECOND.logical_error(distance - 2) > rate


def test_more_states_than_two_levels_can_distil_are_infeasible():
    # 28 · (35 p³)² is left, however large the code.
    assert Factory(25, 41).error(MICROSECOND) == pytest.approx(28 * (35e-9) ** 2, rel=0.01)
    found = surface_code_frontier(Gates(50, 0, 10**12), MICROSECOND, 0.01)
    assert not found.machines
    assert "two levels of distillation are not enough for 1e+12 CCZ states" in found.infeasible
