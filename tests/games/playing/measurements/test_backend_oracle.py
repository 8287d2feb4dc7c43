"""Outcomes from a backend, and what is done when it brings back too little, or nothing."""

from itertools import product

import pytest
from attrs import define, field

from compiler.errors import GameError
from games.playing.match_log import How, Measured, Origin, entry_from_json
from games.playing.measurement_panels import origin_panels
from games.playing.oracle import BackendOracle, NoResultError, NotYetMeasuredError, Ran, measured_by
from games.playing.playable import match_from_record
from games.playing.trials import NotRunnableError
from tests.games.playing.measurements.test_trials import matches_that_wait


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
    assert found == Measured((1,), Origin(How.SELECTED, "aer:torino", 7, 20, trial.shots))
    assert found.origin.told() == (
        f"post-selected, one of 20 of {trial.shots} shots on aer:torino, job 7"
    )
    zero = BackendOracle("aer:torino", 1, Scripted([agreeing(20, 0)])).measured(match)
    assert zero.outcomes == (0,)


def test_every_agreeing_shot_is_as_likely():
    match = waiting()
    known = bits(match.known)

    def counts(trial):
        one = 1 << len(trial.known)
        return {known: 15, known | one: 45, known ^ 1: trial.shots - 60}

    drawn = [
        BackendOracle("b", seed, Scripted([counts])).measured(match).outcomes[0]
        for seed in range(400)
    ]
    # Five standard deviations of 400 draws with probability 3/4.
    assert abs(sum(drawn) - 300) < 44
    again = BackendOracle("b", 9, Scripted([counts])).measured(match)
    assert again == BackendOracle("b", 9, Scripted([counts])).measured(match)


def test_if_too_few_agree_the_state_is_prepared_afresh():
    match, run = waiting(), Scripted([agreeing(7), agreeing(100)])
    found = BackendOracle("b", 1, run).measured(match)
    first, second = run.trials
    assert (first.how, second.how) == (How.SELECTED, How.AFRESH)
    reason = f"7 of {first.shots} shots agreed in job 7, 8 are needed"
    assert found.origin == Origin(How.AFRESH, "b", 8, 100, 100, reason)
    assert found.origin.told().startswith("state prepared afresh, one of 100 of 100 shots on b")


def test_a_circuit_that_a_backend_does_not_run_is_no_end():
    run = Scripted([NotRunnableError("no measurements on the way"), agreeing(100)])
    found = BackendOracle("b", 1, run).measured(waiting())
    assert found == Measured(
        (1,), Origin(How.AFRESH, "b", 8, 100, 100, "no measurements on the way")
    )


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([NoResultError("job 7 failed: no\nmemory")], "job 7 failed: no memory"),
        ([NoResultError("job 7 was cancelled")], "job 7 was cancelled"),
        ([NotRunnableError("a"), NotRunnableError("b")], "b"),
        ([agreeing(3), NoResultError("job 8 failed")], "job 8 failed"),
        ([lambda _: {0: 5}], "job 7 brought back counts that are not of its circuit"),
        ([lambda _: {}], "job 7 brought back counts that are not of its circuit"),
        ([lambda trial: {1 << 60: trial.shots}],
         "job 7 brought back counts that are not of its circuit"),
    ],
)  # fmt: skip
def test_a_match_goes_on_whatever_becomes_of_a_job(answers, reason):
    match = waiting()
    found = BackendOracle("b", 1, Scripted(answers)).measured(match)
    assert found.origin == Origin(How.EXACT, reason=reason)
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
    assert [trial.how for trial in run.trials] == [How.SELECTED, How.AFRESH]
    assert found.origin.how is How.EXACT
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
    assert found.origin == Origin(How.CERTAIN)


def test_what_is_not_measured_yet_is_asked_for_again():
    match = waiting()
    oracle = BackendOracle("b", 1, Scripted([NotYetMeasuredError("job 7: queued")]))
    with pytest.raises(NotYetMeasuredError, match="job 7: queued"):
        measured_by(oracle, match)


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
        {"how": "guessed"},
        {"how": []},
        {"how": {}},
        {"how": None},
        {},
        {"how": "exact", "job": "7"},
        {"how": "exact", "job": True},
        {"how": "exact", "shots": -1},
        {"how": "exact", "reason": "a\x1b"},
        {"how": "exact", "reason": "a" * 401},
        {"how": "exact", "who": "me"},
    ],
)
def test_origins_that_cannot_be(table):
    with pytest.raises(GameError, match=r"^origin"):
        entry_from_json({"outcomes": [0], "origin": table})
