"""The second model of machines beside the first: by how much the two differ, and why."""

from collections.abc import Mapping
from typing import Any

from attrs import asdict

from compiler.fault_tolerant.machines import Frontier
from service.cli.crossover.comparison import Contest
from service.cli.crossover.physical import QubitModel
from service.cli.output.printing import print_table

MUCH = 2
"""Times by which the models may differ before it is said why."""


def second_opinion(
    contest: Contest, error: float, first: Frontier, model: QubitModel
) -> dict[str, Any]:
    """Return the second model's frontier, compared with the first one's, as JSON has it.

    Compared are the fastest machines of both, as the second one's share of the first one's.

    Args:
        contest: what is computed.
        error: of the estimate.
        first: of the first model.
        model: of the qubits.
    """
    second = contest.second_opinion(error, model)
    answer: dict[str, Any] = asdict(second)
    if not first.machines or not second.machines or model.lattice is None:
        return answer | {"hours_ratio": None, "qubits_ratio": None, "why": []}
    there, here = first.machines[0], second.machines[0]
    hours = here.hours / there.hours
    qubits = here.physical_qubits / there.physical_qubits
    lattice = model.lattice
    why = []
    if _differ(hours):
        why.append(
            f"hours: the next gate waits for a reaction, {lattice.reaction_us:g} µs, in the second "
            f"model; in the first for d cycles, d · {lattice.cycle_us:g} µs at distance d, and "
            "after a Toffoli gate for three times that"
        )
    if _differ(qubits):
        why.append("qubits: the second model buys these hours with as many factories as it takes")
    return answer | {"hours_ratio": hours, "qubits_ratio": qubits, "why": why}


def _differ(ratio: float) -> bool:
    return not 1 / MUCH <= ratio <= MUCH


def print_second_opinion(answer: Mapping[str, Any]) -> None:
    """Print what the second model says, and where it is far off."""
    print_table(
        "Second opinion, by the formulas of Gidney and Fowler: the fastest machine, and the "
        "smallest; in brackets times the first model's fastest",
        ("model", "error", "qubits", "hours", "smallest", "hours", "infeasible"),
        [
            (name, one["error"], *_row(one["second_opinion"][name]))
            for name in answer["models"]
            for one in answer["estimates"]
        ],
    )
    reasons: dict[str, list[tuple[str, float]]] = {}
    for name in answer["models"]:
        for one in answer["estimates"]:
            for why in one["second_opinion"][name]["why"]:
                reasons.setdefault(why, []).append((name, one["error"]))
    if reasons:
        print(f"Where the two differ by more than {MUCH} times:")
    for why, places in reasons.items():
        shown = "; ".join(
            f"{name}, {', '.join(f'{error:g}' for of, error in places if of == name)}"
            for name in dict.fromkeys(name for name, _ in places)
        )
        print(f"- {shown}: {why}.")


def _row(found: Mapping[str, Any]) -> tuple[object, ...]:
    if found["infeasible"]:
        return None, None, None, None, found["infeasible"]
    fastest, smallest = found["machines"][0], found["machines"][-1]
    return (
        f"{fastest['physical_qubits']}{_times(found['qubits_ratio'])}",
        f"{fastest['hours']:.4g}{_times(found['hours_ratio'])}",
        smallest["physical_qubits"],
        smallest["hours"],
        "",
    )


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f" ({ratio:.2g})"


def print_frontiers(answer: Mapping[str, Any]) -> None:
    """Print every machine of which none is better in both qubits and hours, by both models."""
    print_table(
        "Frontiers of physical qubits and hours",
        ("model", "error", "by", "qubits", "hours", "code distance", "factories", "infeasible"),
        [
            (name, one["error"], by, *machine)
            for name in answer["models"]
            for one in answer["estimates"]
            for by, key in (("Microsoft", "physical"), ("Gidney and Fowler", "second_opinion"))
            for machine in _machines(one[key][name])
        ],
    )


def _machines(found: Mapping[str, Any]) -> list[tuple[object, ...]]:
    if found["infeasible"]:
        return [(None, None, None, None, found["infeasible"])]
    columns = "physical_qubits", "hours", "code_distance", "factories"
    return [(*(machine[column] for column in columns), "") for machine in found["machines"]]
