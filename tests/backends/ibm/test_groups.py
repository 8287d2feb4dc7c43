"""Several circuits in one job of IBM's."""

import pytest
from attrs import evolve
from qiskit import QuantumCircuit

from backends import CircuitsRefusedError, JobState, ResultError
from compiler.words.run_options import PLAIN, RunOptions
from tests.backends.ibm.simulated import KEYS, accepted, job, until_ended
from workers.stages.scoring import Executed, compare_programs


def number(n, gate="x"):
    """Return a circuit whose outcome is a number from 0 to 3."""
    circuit = QuantumCircuit(133, 2)
    for qubit in range(2):
        if n >> qubit & 1:
            getattr(circuit, gate)(qubit)
    circuit.cz(0, 1)
    circuit.measure([0, 1], [0, 1])
    return job(circuit)


@pytest.mark.parametrize("options", [PLAIN, RunOptions(twirling=True), RunOptions(decoupling=True)])
def test_each_circuit_of_a_job_is_found_by_its_key(ibm, torino, options):
    jobs = {KEYS[n]: evolve(number(n), run_options=options) for n in (2, 1, 3)}
    other = evolve(number(0), shots=100)
    louder = evolve(number(0), run_options=evolve(options, noise=3))
    assert torino.together([*jobs.values(), other, louder]) == [*jobs.values(), louder]
    id = torino.submit(jobs, KEYS[2])
    assert until_ended(torino, id, KEYS[2]).state is JobState.DONE
    raw = torino.raw_result(id)
    counted = {key: torino.counts(raw, jobs[key], key, id, circuits=3) for key in jobs}
    assert counted == {KEYS[n]: {n: 200} for n in (1, 2, 3)}
    for key in (KEYS[4], KEYS[2]):
        with pytest.raises(ResultError):
            torino.counts(raw, jobs[KEYS[1]], key, id, circuits=3)
    if options.twirling:
        with pytest.raises(ResultError, match="random forms"):
            torino.executed_circuit(torino.executed_program(id, raw), jobs[KEYS[1]], KEYS[1])
    if options == PLAIN:
        programs = torino.executed_program(id, raw)
        for key, asked in jobs.items():
            ran = torino.executed_circuit(programs, asked, key)
            assert compare_programs(asked.circuit, ran)[0] is Executed.IDENTICAL


def test_circuits_that_the_device_does_not_take_are_named_and_nothing_is_sent(ibm, torino):
    jobs = {KEYS[1]: number(1), KEYS[2]: number(2, "h"), KEYS[3]: number(3)}
    with pytest.raises(CircuitsRefusedError) as refused:
        torino.submit(jobs, KEYS[1])
    assert set(refused.value.reasons) == {KEYS[2]}
    assert accepted(ibm, KEYS[1]) == []


def test_the_overhead_is_paid_once(torino):
    jobs = [number(n) for n in range(4)]
    alone = sum(torino.estimated_cost_usd([one]) for one in jobs)
    assert torino.estimated_cost_usd(jobs) < alone / 3


@pytest.mark.parametrize(("shots", "most"), [(100_000, 100), (1_000, 300)])
def test_a_job_has_no_more_executions_and_circuits_than_ibm_takes(torino, shots, most):
    circuit = QuantumCircuit(133, 1)
    circuit.measure(0, 0)
    assert len(torino.together([job(circuit, shots) for _ in range(320)])) == most
