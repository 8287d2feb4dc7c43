"""What `peers` answers: as JSON, and as tables."""

from collections.abc import Sequence
from typing import Any

from attrs import asdict

from compiler.words.held_inputs import FROM_ZERO, count_text, from_zero_suffix
from service.cli.output.printing import print_table
from workers.peers.comparison import Result
from workers.peers.costs import costs, mean_costs
from workers.peers.own_circuits import OWN
from workers.peers.proof_shares import proof_shares
from workers.peers.ratios import Ratio, bars, credits_of, ratios
from workers.peers.trials import size

LONGEST_REASON = 100
"""Characters of a compiler's message; all of it is in the answer's JSON."""


def answer_of(results: Sequence[Result]) -> dict[str, Any]:
    """Return results, and all that is worked out from them, as JSON has it."""
    found, costly = ratios(results), costs(results)
    return {
        "results": [_row(result, found) for result in results],
        "credits": [asdict(credit) for credit in credits_of(found)],
        "bars": [asdict(bar) | {"met": bar.met} for bar in bars(found)],
        "costs": [
            {
                "program": cost.result.case.subject.name,
                "target": cost.result.case.target,
                "qubits": cost.qubits,
                "peer": cost.result.peer,
                "reference": cost.reference.peer,
                "gates_ratio": cost.gates,
                "cpu_ratio": cost.cpu,
                "gates_won_per_cpu_second": cost.won_per_second,
            }
            for cost in costly
        ],
        "mean_costs": [asdict(mean) for mean in mean_costs(costly)],
        "proofs": [asdict(one) | {"share": one.share} for one in proof_shares(results)],
        "swaps": [_swaps(r) for r in results if r.case.subject.fewest_swaps is not None],
    }


def _row(result: Result, found: Sequence[Ratio]) -> dict[str, Any]:
    case = result.case
    ratio = next((r for r in found if (r.case, r.name) == (case, result.peer)), None)
    plain = asdict(result, filter=lambda attribute, _: attribute.name != "case")
    return {
        "suite": case.suite,
        "program": case.subject.name,
        "encoding": case.subject.encoding or None,
        "circuit_seed": case.subject.seed,
        "form": str(case.form),
        "target": case.target,
        **plain,
        "best_peer": ratio and ratio.peer,
        "ratio": ratio and ratio.value,
        "ratio_from_zero_only": ratio and ratio.from_zero,
    }


def _swaps(result: Result) -> dict[str, Any]:
    """Return what routing took, and the gates beside those of the known routing."""
    subject = result.case.subject
    fewest = subject.fewest_swaps
    assert fewest is not None
    known = size(subject, result.case.form) + 3 * fewest
    gates = result.two_qubit_gates
    return {
        "program": subject.name,
        "peer": result.peer,
        "fewest_swaps": fewest,
        "swaps": result.swaps,
        "two_qubit_gates_of_known_routing": known,
        "two_qubit_gates": gates,
        "ratio": gates and gates / known,
        "cpu_seconds": result.cpu_seconds,
        "verified": result.verified,
    }


def _taken(row: dict[str, Any] | None) -> str:
    if row is None:
        return ""
    if row["two_qubit_gates"] is None:
        reason = " ".join(row["detail"].removeprefix("skipped: ").split())
        return f"no: {reason[:LONGEST_REASON]}{'…' * (len(reason) > LONGEST_REASON)}"
    cost = f", {_count(row, 'two_qubit_gates')} in {row['cpu_seconds']:.1f} CPU s"
    return f"yes, {row['verified']}{cost * (row['suite'] == OWN)}"


def _count(row: dict[str, Any], name: str) -> str:
    return count_text(row[name], from_zero=row["holds"] == FROM_ZERO)


def _ratio(row: dict[str, Any]) -> object:
    """Return ours / theirs, marked where ours holds from |0…0⟩ only and theirs on any input."""
    if row["ratio"] is None or not row["ratio_from_zero_only"]:
        return row["ratio"]
    return f"{row['ratio']:.4g}{from_zero_suffix(from_zero=True)}"


def print_answer(answer: dict[str, Any]) -> None:
    """Print an answer as tables; those with nothing to tell are left out."""
    print_table(
        "Compilers side by side (ratio: ours / best proven peer)",
        ("program", "form", "target", "compiler", "2q gates", "median", "2q depth", "calls",
         "CPU s", "verified", "holds", "ratio"),
        [
            (", ".join(filter(None, (row["program"], row["encoding"]))), row["form"],
             row["target"], row["peer"], _count(row, "two_qubit_gates"), row["median"],
             _count(row, "two_qubit_depth"), row["calls"], row["cpu_seconds"],
             row["verified"] if row["verified"] not in ("failed", "refuted", "skipped")
             else row["detail"] if row["verified"] == "skipped"
             else f"{row['verified']}: {row['detail']}",
             row["holds"], _ratio(row))
            for row in answer["results"]
        ],
    )  # fmt: skip
    if answer["credits"]:
        print_table(
            "Where two-qubit gates are saved",
            ("program", "target", "literal, best peer", "our synthesis, best peer", "all ours",
             "by synthesis", "by lowering", "together"),
            [
                (c["title"], c["target"], c["literal"], c["logical"], c["ours"],
                 c["literal"] and c["logical"] / c["literal"], c["ours"] / c["logical"],
                 c["literal"] and c["ours"] / c["literal"])
                for c in answer["credits"]
            ],
        )  # fmt: skip
    if answer["bars"]:
        print_table(
            "Ratios of two-qubit gates, geometric means",
            ("circuits", "mean ratio", "bar", "worst", "cases", "met"),
            [
                (b["name"], b["figure"], b["most"], b["worst"], b["cases"],
                 "yes" if b["met"] else "no")
                for b in answer["bars"]
            ],
        )  # fmt: skip
    limits = [row for row in answer["results"] if row["suite"] in ("limits", OWN)]
    if limits:
        peers = list(dict.fromkeys(row["peer"] for row in limits))
        cells = {(row["program"], row["target"], row["peer"]): row for row in limits}
        print_table(
            "What compilers take",
            ("program", "target", *peers),
            [
                (*asked, *(_taken(cells.get((*asked, peer))) for peer in peers))
                for asked in dict.fromkeys((row["program"], row["target"]) for row in limits)
            ],
        )
    if answer["proofs"]:
        print_table(
            "How many circuits are proven",
            ("suite", "compiler", "circuits", "exact", "share", "unverified", "refuted"),
            [
                (p["suite"], p["peer"], p["made"], p["exact"], f"{100 * p['share']:.0f} %",
                 p["unverified"], p["refuted"])
                for p in answer["proofs"]
            ],
        )  # fmt: skip
    if answer["swaps"]:
        print_table(
            "Swaps where the fewest are known (ratio: 2q gates / those of the known routing)",
            ("program", "compiler", "fewest", "swaps of routing alone", "2q gates",
             "of known routing", "ratio", "CPU s"),
            [
                (s["program"], s["peer"], s["fewest_swaps"], s["swaps"], s["two_qubit_gates"],
                 s["two_qubit_gates_of_known_routing"], s["ratio"], s["cpu_seconds"])
                for s in answer["swaps"]
            ],
        )  # fmt: skip
    if answer["costs"]:
        print_table(
            "What gates cost (ratios to the other's; CPU seconds of all calls)",
            ("program", "target", "qubits", "compiler", "against", "2q gates, ratio",
             "CPU, ratio", "2q gates won per CPU s"),
            [
                (c["program"], c["target"], c["qubits"], c["peer"], c["reference"],
                 c["gates_ratio"], c["cpu_ratio"], c["gates_won_per_cpu_second"])
                for c in answer["costs"]
            ],
        )  # fmt: skip
        print_table(
            "What gates cost, geometric means",
            ("target", "qubits", "compiler", "against", "2q gates, ratio", "CPU, ratio",
             "circuits"),
            [
                (m["target"], "{} to {}".format(*m["sizes"]), m["peer"], m["reference"],
                 m["gates"], m["cpu"], m["circuits"])
                for m in answer["mean_costs"]
            ],
        )  # fmt: skip
    named = ", ".join(f"{name} {found or 'missing'}" for name, found in answer["versions"].items())
    print(f"{answer['seconds']:.0f} s; seeds 0 to {answer['seeds'] - 1}; {named}")
