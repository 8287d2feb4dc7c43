"""Estimators against theory and against sampling."""

from collections.abc import Sequence

import numpy as np
import pytest

from compiler.errors import InputError
from compiler.estimation import Bayesian, Oracle, classical_shots, ideal_oracle

TOY = 5 / 12
RUNS = 40


@pytest.mark.parametrize("error", [0.01, 0.002])
def test_intervals_hold_what_they_promise_for_fewer_calls(error: float) -> None:
    """In 40 runs 95 % intervals may miss six times, and sampling takes three times the calls."""
    found = [Bayesian(error=error).estimate(ideal_oracle(TOY, seed)) for seed in range(RUNS)]
    assert all(one.reached and (one.high - one.low) / 2 <= error for one in found)
    assert sum(one.low <= TOY <= one.high for one in found) >= RUNS - 6
    assert 2.5 * np.mean([one.calls for one in found]) < classical_shots(TOY, error)


def test_rounds_that_are_chosen_together_take_fewer_steps() -> None:
    """Of 40 intervals six may miss; each circuit of a step is another one."""
    steps: list[Sequence[int]] = []

    def listened(oracle: Oracle) -> Oracle:
        def ask(iterates: Sequence[int], shots: int) -> Sequence[int]:
            steps.append(iterates)
            return oracle(iterates, shots)

        return ask

    alone, together = (
        [
            Bayesian(error=0.002, together=most).estimate(listened(ideal_oracle(TOY, seed)))
            for seed in range(RUNS)
        ]
        for most in (1, 3)
    )
    assert all(one.reached for one in together)
    assert sum(one.low <= TOY <= one.high for one in together) >= RUNS - 6
    assert sum(one.steps for one in together) < 0.7 * sum(one.steps for one in alone)
    assert sum(one.calls for one in together) < 1.5 * sum(one.calls for one in alone)
    assert len(steps) == sum(one.steps for one in (*alone, *together))
    assert all(len(set(step)) == len(step) <= 3 for step in steps)
    assert [round_.iterates for one in (*alone, *together) for round_ in one.rounds] == [
        iterates for step in steps for iterates in step
    ]


@pytest.mark.parametrize(
    "asking",
    [
        Bayesian(error=0.02),
        Bayesian(error=0.02, noisy=True),
        Bayesian(error=0.02, noisy=True, together=4),
    ],
    ids=repr,
)
@pytest.mark.parametrize("probability", [0.0, 1.0])
def test_intervals_hold_what_is_certain(asking: Bayesian, probability: float) -> None:
    """A card that always wins, or never does, is no rare case."""
    found = asking.estimate(ideal_oracle(probability, 1))
    assert found.low <= probability <= found.high <= found.low + 0.04


def test_no_circuit_is_deeper_than_allowed() -> None:
    """With none at all it is sampling, and takes as many calls."""
    for most in (0, 3):
        found = Bayesian(error=0.03, most_iterates=most).estimate(ideal_oracle(TOY, 0))
        assert found.reached
        assert found.deepest <= most
    sampled = Bayesian(error=0.03, most_iterates=0).estimate(ideal_oracle(TOY, 0))
    assert sampled.calls > 0.9 * classical_shots(TOY, 0.03)


@pytest.mark.parametrize("error", [1e-3, 1e-4])
def test_bayesian_estimator_is_right_where_its_first_grid_is_too_coarse(error: float) -> None:
    """A step of 8,001 angles is as wide as the smaller error; and no more is asked than needed."""
    found = [
        Bayesian(error=error, most_iterates=1000).estimate(ideal_oracle(TOY, seed))
        for seed in range(4)
    ]
    assert all(0 < one.high - one.low <= 2 * error for one in found)
    off = [(one.value - TOY) / error for one in found]
    assert np.sqrt(np.mean(np.square(off))) < 1.2


@pytest.mark.parametrize(
    "wrong",
    [{"error": 0}, {"error": 0.7}, {"error": float("nan")}, {"confidence": 1}, {"shots": 0},
     {"most_iterates": 1001}, {"together": 0}],
)  # fmt: skip
def test_numbers_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    """With the number and its range."""
    (name,) = wrong
    with pytest.raises(InputError, match=f"{name} .* is not between"):
        Bayesian(**{"error": 0.01, **wrong})  # type: ignore[arg-type]


def test_nothing_is_asked_beyond_the_most_shots():
    asking = Bayesian(error=0.01, shots=10, most_iterates=2)
    estimate = asking.estimate(lambda each, shots: [shots // 2] * len(each))
    assert 0 < estimate.shots <= asking.most_shots
    assert estimate.deepest <= asking.most_iterates
