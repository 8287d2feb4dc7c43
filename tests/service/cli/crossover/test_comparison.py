"""Physical estimates against the estimator's published models, and crossings against both sides."""

from functools import partial
from math import sqrt

import pytest
from attrs import evolve

from compiler.fault_tolerant import LogicalResources, estimation
from service.cli.crossover.estimates import YEAR_HOURS, Contest, crossing
from service.cli.crossover.physical import MODELS, frontier
from service.results.crossover import Frontier

PROGRAM = LogicalResources(
    qubits=20, t_gates=200, toffolis=0, rotations=0, table_rotations=0, measurements=0, depth=100
)
SLOW = Contest(PROGRAM, probability=0.5, playouts_per_second=50_000, cores=2)


def test_a_machine_is_as_large_and_as_slow_as_its_code_says():
    needed = estimation(PROGRAM, 0.01, 0.5, 0.96)
    for machine in frontier(needed, MODELS["superconducting-1e-3"]).machines:
        distance = machine.code_distance
        # Beverland et al.: 2Q + ⌈√(8Q)⌉ + 1 logical qubits of 2d² each, factories apart; a cycle
        # of (4 · 50 + 2 · 100) ns · d for each T gate, three for a Toffoli gate, at least.
        qubits = 2 * needed.qubits + int(sqrt(8 * needed.qubits)) + 2
        assert machine.physical_qubits > qubits * 2 * distance**2
        cycle_hours = 400 * distance / 3.6e12
        cycles = needed.t_gates - needed.toffolis
        assert cycles * cycle_hours <= machine.hours * 1.0001


def test_what_takes_longer_than_numbers_last_is_infeasible():
    needed = estimation(PROGRAM, 1e-12, 0.5, 0.96)
    found = frontier(needed, MODELS["ions-1e-3"])
    assert not found.machines
    assert "years" in found.infeasible
    more = frontier(estimation(PROGRAM, 1e-18, 0.5, 0.96), MODELS["ions-1e-3"])
    assert "T gates" in more.infeasible


def test_playouts_and_their_error_are_inverse():
    # 1.96² · ¼ / 0.01² playouts.
    assert SLOW.playouts(0.01) == pytest.approx(9604, rel=1e-4)
    assert SLOW.classical_hours(0.01) == pytest.approx(9604 / 100_000 / 3600, rel=1e-4)
    assert SLOW.error_after(SLOW.classical_hours(0.003)) == pytest.approx(0.003)


@pytest.mark.parametrize("name", ["superconducting-1e-4", "majorana-1e-6"])
def test_both_sides_take_the_same_time_at_the_crossing(name):
    model = MODELS[name]
    found = crossing(SLOW, partial(SLOW.quantum, model=model))
    assert found.hours < YEAR_HOURS
    assert SLOW.classical_hours(found.error) == pytest.approx(found.hours)
    # The quantum machine's time jumps where its code grows.
    assert found.machine.hours <= found.hours
    nearby = SLOW.quantum(found.error * 1.01, model).machines[0]
    assert nearby.hours > SLOW.classical_hours(found.error * 1.01)
    for factor, faster in ((0.1, True), (10, False)):
        there = SLOW.quantum(found.error * factor, model).machines[0]
        assert (there.hours < SLOW.classical_hours(found.error * factor)) == faster


def test_a_machine_may_win_before_it_becomes_infeasible():
    model = MODELS["superconducting-1e-3"]
    one_core = evolve(SLOW, playouts_per_second=2_000_000, cores=1)

    def few_states(error):
        return one_core.quantum(error, model) if error > 1e-7 else Frontier((), "too many states")

    found = crossing(one_core, few_states)
    assert found.error == pytest.approx(
        crossing(one_core, partial(one_core.quantum, model=model)).error
    )
    never = crossing(one_core, lambda error: Frontier((), "too many states"))
    assert never is None
