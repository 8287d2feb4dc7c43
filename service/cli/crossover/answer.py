"""What the command `crossover` answers, as JSON and as tables."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from attrs import asdict

from compiler.fault_tolerant import LogicalResources
from compiler.fault_tolerant.amplitude_estimation import ROTATIONS_SHARE
from compiler.fault_tolerant.resources import PROGRAM_ERROR
from service.cli.crossover.comparison import (
    CONFIDENCE,
    YEAR_HOURS,
    Contest,
    Crossing,
    crossing,
)
from service.cli.crossover.physical import ERROR_BUDGET, MODELS, QubitModel
from service.cli.crossover.second_opinion import (
    print_frontiers,
    print_second_opinion,
    second_opinion,
)
from service.cli.output.printing import print_table
from workers.provenance import revision, versions

NEVER = "never within a year"
SECOND = "Gidney and Fowler"
CROSSINGS = {"Microsoft": "crossings", SECOND: "second_opinion_crossings"}
"""What models of machines are called, and where their crossings stand."""


def crossover_answer(
    contest: Contest,
    errors: Sequence[float],
    models: Mapping[str, QubitModel],
    *,
    program: str,
    encoding: str,
    syntheses: Mapping[str, LogicalResources],
    objective: str,
    measured_rate: float | None,
    measured_share: float | None,
    exact: float | None,
) -> dict[str, Any]:
    """Return everything that is known, as JSON has it.

    Args:
        contest: the program and its rival.
        errors: at which both are estimated.
        models: of qubits, by their names.
        program: the game's name.
        encoding: how it lies on qubits.
        syntheses: what the program takes, by what its syntheses have little of.
        objective: the one of these that is estimated.
        measured_rate: playouts a second on one core, None if they were not measured.
        measured_share: of the playouts that were won, None if none were played.
        exact: P(win) of a game small enough to be enumerated, None of others.
    """
    crossings, second = (
        {name: crossing(contest, partial(way, model=model)) for name, model in models.items()}
        for way in (contest.quantum, contest.second_opinion)
    )
    return {
        "program": program,
        "encoding": encoding,
        "objective": objective,
        "program_error": PROGRAM_ERROR,
        "syntheses": {
            name: asdict(found) | {"t_count": found.t_count(PROGRAM_ERROR)}
            for name, found in syntheses.items()
        },
        "confidence": CONFIDENCE,
        "error_budget": ERROR_BUDGET,
        "probability": contest.probability,
        "playouts_per_second_per_core": contest.playouts_per_second,
        "playouts_measured": measured_rate is not None,
        "cores": contest.cores,
        "models": {name: model.title for name, model in models.items()},
        "estimates": [_estimate(contest, error, models) for error in errors],
        "year_of_playouts_error": contest.error_after(YEAR_HOURS),
        "crossings": _as_json(crossings),
        "second_opinion_crossings": _as_json(second),
        "exact": exact,
        "assumptions": _assumptions(contest, measured_rate is not None, exact, measured_share),
        "versions": versions(),
        "revision": revision(),
    }


def _as_json(crossings: Mapping[str, Crossing | None]) -> dict[str, Any]:
    return {name: None if found is None else asdict(found) for name, found in crossings.items()}


def _estimate(contest: Contest, error: float, models: Mapping[str, QubitModel]) -> dict[str, Any]:
    physical = {name: contest.quantum(error, model) for name, model in models.items()}
    return {
        "error": error,
        "classical": {
            "playouts": contest.playouts(error),
            "hours": contest.classical_hours(error),
        },
        "logical": asdict(contest.needed(error)),
        "physical": {name: asdict(found) for name, found in physical.items()},
        "second_opinion": {
            name: second_opinion(contest, error, physical[name], model)
            for name, model in models.items()
        },
    }


def _assumptions(
    contest: Contest, measured: bool, exact: float | None, share: float | None
) -> list[str]:
    where = "measured on this machine" if measured else "given"
    if contest.probability == exact:
        known = "exact"
    elif contest.probability == share:
        known = "the share of playouts won"
    else:
        known = "taken for a coin, for want of a better one between 0 and 1"
    return [
        f"P(win) = {contest.probability:.4g} ({known}); both sides are within the error with "
        f"{CONFIDENCE:.0%}.",
        "Amplitude estimation is one coherent run of phase estimation with the best state of its "
        f"control register, 2c √(p(1−p))/error iterates; no single run gets by with fewer. It has "
        f"{CONFIDENCE + ERROR_BUDGET:.0%}, the machine may fail with {ERROR_BUDGET:.0%}.",
        "An iterate is the program forwards and backwards, and a reflection about |0…0⟩ of "
        "2n − 3 Toffoli gates; a Toffoli gate is 4 T gates, Clifford gates are free.",
        "A rotation takes 3 log₂(1/δ) T gates (Ross and Selinger), one by a table an addition to "
        "a phase gradient, 4 T gates for each bit of it (Gidney); all rotations of one program "
        f"together may shift P(win) by {ROTATIONS_SHARE:.0%} of the error.",
        "Codes, factories and their times are first those of Microsoft's resource estimator: one "
        "T gate or Toffoli gate after the other; decoding takes no time, the machine never stops.",
        "The second opinion is that of Gidney and Fowler (arXiv:1808.06709, 1812.01238): factories "
        "of CCZ states, as many as pay; a gate follows the one before it after a reaction, one "
        "measurement and 10 µs (1905.08916). It knows no qubits that measure in pairs.",
        f"Playouts: {contest.playouts_per_second:,.0f} a second on one core ({where}), "
        f"{contest.cores:,} cores side by side without loss; z² p(1−p)/error² of them, no "
        "variance reduction.",
    ]


def print_crossover(answer: Mapping[str, Any], *, frontiers: bool = False) -> None:
    """Print the tables, then the crossings, then what was assumed.

    Args:
        answer: see `crossover_answer`.
        frontiers: whether every machine of a frontier is printed.
    """
    print_table(
        f"{answer['program']}, {answer['encoding']}: the program once, its rotations off by "
        f"{PROGRAM_ERROR:g} together",
        (
            "fewest",
            "T gates in all",
            "T gates",
            "Toffoli",
            "rotations",
            "by tables",
            "logical qubits",
            "depth, a rotation as one",
        ),
        [
            (
                name + " *" * (name == answer["objective"]),
                found["t_count"],
                found["t_gates"],
                found["toffolis"],
                found["rotations"],
                found["table_rotations"],
                found["qubits"],
                found["depth"],
            )
            for name, found in answer["syntheses"].items()
        ],
    )
    print("* is what is estimated.")
    print_table(
        "Amplitude estimation on logical qubits, and classical playouts",
        (
            "error", "calls", "T gates a call", "T gates", "logical qubits", "playouts",
            f"hours on {answer['cores']:,} cores",
        ),
        [
            (
                one["error"], one["logical"]["calls"], one["logical"]["t_per_call"],
                float(one["logical"]["t_gates"]), one["logical"]["qubits"],
                one["classical"]["playouts"], one["classical"]["hours"],
            )
            for one in answer["estimates"]
        ],
    )  # fmt: skip
    print_table(
        "Physical qubits and hours by Microsoft's estimator: the fastest machine, and the smallest",
        ("model", "error", "qubits", "hours", "smallest", "hours", "infeasible"),
        [
            (name, one["error"], *_machines(one["physical"][name]))
            for name in answer["models"]
            for one in answer["estimates"]
        ],
    )
    print_second_opinion(answer)
    if frontiers:
        print_frontiers(answer)
    print_table(
        "Where the fastest machine overtakes the playouts",
        ("model", "", "by", "error", "hours", "physical qubits"),
        [
            (name, title, by, *_crossing(answer[crossings][name]))
            for name, title in answer["models"].items()
            for by, crossings in CROSSINGS.items()
            if MODELS[name].lattice is not None or by != SECOND
        ],
    )
    if answer["exact"] is not None:
        print(
            f"Neither is needed: P(win) = {answer['exact']:.6g} is exact, by enumeration of all "
            "deals and plays."
        )
    print(f"A year of playouts has the error {answer['year_of_playouts_error']:.2g}.")
    print("Assumed:")
    for line in answer["assumptions"]:
        print(f"- {line}")


def _machines(found: Mapping[str, Any]) -> tuple[object, ...]:
    if found["infeasible"]:
        return None, None, None, None, found["infeasible"]
    fastest, smallest = found["machines"][0], found["machines"][-1]
    return (
        fastest["physical_qubits"],
        fastest["hours"],
        smallest["physical_qubits"],
        smallest["hours"],
        "",
    )


def _crossing(found: Mapping[str, Any] | None) -> tuple[object, ...]:
    if found is None:
        return NEVER, None, None
    return f"{found['error']:.2g}", found["hours"], found["machine"]["physical_qubits"]
