"""Measurements of matches: trials, and the backends that answer."""

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from attrs import define, field
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector, random_statevector

from compiler.errors import GameError
from compiler.verification.program import outcome_distribution, program_state
from play.match_log import Measured, Measurement, Origin, entry_from_json
from play.measurement_panels import origin_panels
from play.oracle import (
    BackendOracle,
    ExactOracle,
    NoResultError,
    Ran,
)
from play.playable import match_from_record, playables
from play.trials import (
    EXPECTED,
    MIN_SHOTS,
    NotRunnableError,
    afresh,
    preparation,
    replay,
)
from tests.play.matches import measured_by


def waiting():
    """Return a match with known outcomes that waits for one that may be 0 or 1."""
    return next(
        match
        for match in matches_that_wait({})
        if len(match.known) > 2 and set(match.chances()) == {(0,), (1,)}
    )


@define
class Scripted:
    """Brings back what it is told, trial by trial."""

    answers: list
    trials: list = field(factory=list)

    def __call__(self, match, trial):
        self.trials.append(trial)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Ran(answer(trial), 6 + len(self.trials))


def bits(outcomes):
    return sum(outcome << place for place, outcome in enumerate(outcomes))


def agreeing(number, outcome=1):
    """Return counts of which so many agree, and the others do not."""

    def counts(trial):
        wrong = (1 - trial.known[0], *trial.known[1:]) if trial.known else (1 - outcome,)
        return {
            bits((*trial.known, outcome)): number,
            bits((*wrong, outcome) if trial.known else wrong): trial.shots - number,
        }

    return counts


def test_one_of_the_agreeing_shots_is_drawn():
    match, run = waiting(), Scripted([agreeing(20)])
    found = BackendOracle("aer:torino", 1, run).measured(match)
    (trial,) = run.trials
    assert trial.known == match.known
    assert found == Measured((1,), Origin(Measurement.SELECTED, "aer:torino", 7, 20, trial.shots))
    assert found.origin.told() == (
        f"post-selected, one of 20 of {trial.shots} shots on aer:torino, job 7"
    )
    zero = BackendOracle("aer:torino", 1, Scripted([agreeing(20, 0)])).measured(match)
    assert zero.outcomes == (0,)


def test_if_too_few_agree_the_state_is_prepared_afresh():
    match, run = waiting(), Scripted([agreeing(7), agreeing(100)])
    found = BackendOracle("b", 1, run).measured(match)
    first, second = run.trials
    assert (first.method, second.method) == (Measurement.SELECTED, Measurement.AFRESH)
    reason = f"7 of {first.shots} shots agreed in job 7, 8 are needed"
    assert found.origin == Origin(Measurement.AFRESH, "b", 8, 100, 100, reason)
    assert found.origin.told().startswith("state prepared afresh, one of 100 of 100 shots on b")


def test_a_circuit_that_a_backend_does_not_run_is_no_end():
    run = Scripted([NotRunnableError("no measurements on the way"), agreeing(100)])
    found = BackendOracle("b", 1, run).measured(waiting())
    assert found == Measured(
        (1,), Origin(Measurement.AFRESH, "b", 8, 100, 100, "no measurements on the way")
    )


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([NoResultError("job 7 failed: no\nmemory")], "job 7 failed: no memory"),
        ([agreeing(3), NoResultError("job 8 failed")], "job 8 failed"),
        ([lambda _: {0: 5}], "job 7 brought back counts that are not of its circuit"),
        ([lambda trial: {1 << 60: trial.shots}],
         "job 7 brought back counts that are not of its circuit"),
    ],
)  # fmt: skip
def test_a_match_goes_on_whatever_becomes_of_a_job(answers, reason):
    match = waiting()
    found = BackendOracle("b", 1, Scripted(answers)).measured(match)
    assert found.origin == Origin(Measurement.EXACT, reason=reason)
    after = match.learnt(found)
    assert not after.awaited
    assert found.origin.told() == f"drawn from the exact probabilities ({reason})"


def test_noise_in_which_no_shot_agrees_leads_to_the_state_afresh():
    """Nothing comes out again, and of the fresh state only what cannot be."""
    match, impossible = next(
        (match, ways[0])
        for seed in range(20)
        for match in matches_that_wait({}, seed)
        if match.known
        and (ways := sorted({*product((0, 1), repeat=match.awaited)} - match.chances().keys()))
    )

    def noise(trial):
        if trial.known:
            return {bits((1 - trial.known[0], *trial.known[1:])): trial.shots}
        return {bits(impossible): trial.shots}

    run = Scripted([noise, noise])
    found = BackendOracle("b", 1, run).measured(match)
    assert [trial.method for trial in run.trials] == [Measurement.SELECTED, Measurement.AFRESH]
    assert found.origin.how is Measurement.EXACT
    assert found.origin.reason == "0 of 100 shots agreed in job 8, 1 is needed"
    assert found.outcomes in match.chances()


def test_what_is_certain_is_not_run():
    sure = waiting()
    while not sure.awaited or len(sure.chances()) > 1:
        if sure.awaited:
            sure = sure.collapse(next(iter(sure.chances())))
            continue
        seat = sure.to_move[0]
        sure = sure.play(seat, next(sure.legal_moves(seat)))
    found = BackendOracle("b", 1, Scripted([])).measured(sure)
    assert found.outcomes in sure.chances()
    assert found.origin == Origin(Measurement.CERTAIN)


def test_a_record_keeps_how_outcomes_were_got():
    match = waiting()
    after = measured_by(BackendOracle("b", 1, Scripted([agreeing(20)])), match)
    record = after.record()
    origin = record["log"][-1]["origin"]
    assert origin == {"how": "post-selected", "backend": "b", "job": 7, "agreeing": 20,
                      "shots": after.log[-1].origin.shots}  # fmt: skip
    again = match_from_record(record)
    assert again.log == after.log
    assert again.record() == record
    (panel,) = origin_panels(again.log)
    assert panel.lines[-1] == f"1: {after.log[-1].origin.told()}"
    assert origin_panels(match.log) == []


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"how": "exact", "job": "7"},
        {"how": "exact", "reason": "a" * 401},
    ],
)
def test_origins_that_cannot_be(table):
    with pytest.raises(GameError, match=r"^origin"):
        entry_from_json({"outcomes": [0], "origin": table})


ROUNDS = [{}, {"measured_qubit": "reset"}]


def matches_that_wait(options, seed=5):
    """Yield matches in which something is waited for that is not certain."""
    match = playables["six-nimmt"].start({"seats": 3, "seed": seed, "options": options})
    random, oracle = Random(seed), ExactOracle(3)
    while not match.over:
        if match.awaited:
            if len(match.chances()) > 1:
                yield match
            match = match.learnt(oracle.measured(match))
            continue
        seat = match.to_move[0]
        match = match.play(seat, random.choice(list(match.legal_moves(seat))))


def measured(circuit):
    found = outcome_distribution(circuit, program_state(circuit))
    return {tuple(bits >> i & 1 for i in range(circuit.num_clbits)): p for bits, p in found.items()}


@pytest.mark.parametrize("options", ROUNDS)
def test_what_is_selected_or_prepared_has_the_exact_probabilities(options):
    number = 0
    for match in matches_that_wait(options):
        number += 1
        exact = {outcomes: float(p) for outcomes, p in match.chances().items()}
        whole = measured(replay(match.program().circuit, match.known).circuit)
        kept = {
            outcomes[len(match.known) :]: p
            for outcomes, p in whole.items()
            if outcomes[: len(match.known)] == match.known and p > 1e-9
        }
        total = sum(kept.values())
        assert {way: p / total for way, p in kept.items()} == pytest.approx(exact)
        fresh = afresh(match.program().circuit, match.known)
        assert fresh.known == ()
        new = measured(fresh.circuit)
        assert {way: p for way, p in new.items() if p > 1e-9} == pytest.approx(exact)
        assert fresh.circuit.num_nonlocal_gates() <= 11 + match.awaited * 10
    assert number > 5


def test_shots_are_chosen_so_that_enough_agree():
    circuit = QuantumCircuit(2, 12)
    for bit in range(12):
        circuit.h(0)
        circuit.measure(0, bit)
    for known in range(1, 9):
        trial = replay(circuit, (0,) * known)
        assert trial.shots == max(MIN_SHOTS, EXPECTED * 2**known)
        assert trial.method is Measurement.SELECTED
    with pytest.raises(NotRunnableError, match="would take 16,384 shots, and at most 10,000"):
        replay(circuit, (0,) * 9)


def test_only_shots_that_can_be_count():
    circuit = QuantumCircuit(1, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.measure(0, 1)
    trial = replay(circuit, (1,))
    possible = {(1,): Fraction(1)}
    # Bit 0 is the first one; 1 and then 0 cannot be measured.
    assert trial.agreeing({0b11: 30, 0b01: 9, 0b10: 5, 0b00: 56}, possible) == {(1,): 30}
    assert trial.belongs({0b11: 100})
    assert not trial.belongs({0b11: 99})
    assert not trial.belongs({0b100: 100})
    assert not trial.belongs({0b11: 101, 0b00: -1})


def conditional():
    circuit = QuantumCircuit(1, 2)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(0)
    circuit.measure(0, 1)
    return circuit


def entangled_reset():
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.reset(0)
    circuit.measure(1, 0)
    return circuit


@pytest.mark.parametrize(
    ("circuit", "known", "message"),
    [
        (conditional(), (0,), "'if_else' on the way cannot be replayed"),
        (conditional(), (1,), "the known outcomes of the circuit so far are impossible"),
        (entangled_reset(), (), "a reset of a qubit that is entangled cannot be replayed"),
        (QuantumCircuit(11, 1), (), "a state of 11 qubits is not prepared afresh, only up to 10"),
    ],
)
def test_what_cannot_be_replayed_is_told(circuit, known, message):
    with pytest.raises(NotRunnableError) as error:
        afresh(circuit, known)
    assert str(error.value) == message


@pytest.mark.parametrize("qubits", [1, 2, 3, 4])
def test_states_are_prepared(qubits):
    for seed in range(1):
        state = np.asarray(random_statevector(1 << qubits, seed).data)
        circuit = preparation(state)
        made = np.asarray(Statevector(circuit).data)
        assert abs(np.vdot(made, state)) == pytest.approx(1)
        assert circuit.num_nonlocal_gates() <= 2**qubits - qubits - 1
