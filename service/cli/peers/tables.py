"""Tables of the command `peers`."""

from service.cli.output.printing import print_rows, print_table
from service.results.peers import PeerResult, PeersResult
from workers.peers.own_circuits import OWN

MAX_REASON = 100
"""Characters of a compiler's message; all of it is in the JSON result."""


def print_peers(result: PeersResult) -> None:
    """Print a result as tables; those without rows are left out."""
    print_rows(
        "Compilers side by side (ratio: ours / best proven peer)",
        result.results,
        "program=title", "form", "target", "compiler=peer", "2q gates=gates_text", "median",
        "2q depth=depth_text", "calls", "CPU s=cpu_seconds", "verified=proof", "holds",
        "ratio=ratio_text",
    )  # fmt: skip
    print_rows(
        "Where two-qubit gates are saved",
        [
            (of, of.literal and of.logical / of.literal, of.ours / of.logical,
             of.literal and of.ours / of.literal)
            for of in result.credits
        ],
        "program=0.title", "0.target", "literal, best peer=0.literal",
        "our synthesis, best peer=0.logical", "all ours=0.ours", "by synthesis=1", "by lowering=2",
        "together=3",
    )  # fmt: skip
    print_rows(
        "Ratios of two-qubit gates, geometric means",
        result.bars,
        "circuits=name", "mean ratio=figure", "bar=most", "worst", "cases", "met",
    )  # fmt: skip
    _print_limits([row for row in result.results if row.suite in ("limits", OWN)])
    print_rows(
        "How many circuits are proven",
        [(of, f"{100 * of.share:.0f} %") for of in result.proofs],
        "0.suite", "compiler=0.peer", "circuits=0.made", "0.exact", "share=1", "0.unverified",
        "0.refuted",
    )  # fmt: skip
    print_rows(
        "Swaps where the fewest are known (ratio: 2q gates / those of the known routing)",
        result.swaps,
        "program", "compiler=peer", "fewest=fewest_swaps", "swaps of routing alone=swaps",
        "2q gates=two_qubit_gates", "of known routing=two_qubit_gates_of_known_routing", "ratio",
        "CPU s=cpu_seconds",
    )  # fmt: skip
    print_rows(
        "What gates cost (ratios to the other's; CPU seconds of all calls)",
        result.costs,
        "program", "target", "qubits", "compiler=peer", "against=reference",
        "2q gates, ratio=gates_ratio", "CPU, ratio=cpu_ratio",
        "2q gates won per CPU s=gates_won_per_cpu_second",
    )  # fmt: skip
    print_rows(
        "What gates cost, geometric means",
        result.mean_costs,
        "target", "from qubits=sizes.0", "to=sizes.1", "compiler=peer", "against=reference",
        "2q gates, ratio=gates", "CPU, ratio=cpu", "circuits",
    )  # fmt: skip
    print(f"{result.seconds:.0f} s; seeds 0 to {result.seeds - 1}; {result.provenance}")


def _print_limits(rows: list[PeerResult]) -> None:
    """Print a column for each compiler, nothing without rows."""
    peers = list(dict.fromkeys(row.peer for row in rows))
    cells = {(row.program, row.target, row.peer): _limit(row) for row in rows}
    if rows:
        print_table(
            "What compilers take",
            ("program", "target", *peers),
            [
                (*case, *(cells.get((*case, peer), "") for peer in peers))
                for case in dict.fromkeys((row.program, row.target) for row in rows)
            ],
        )


def _limit(row: PeerResult) -> str:
    if row.two_qubit_gates is None:
        reason = " ".join(row.detail.removeprefix("skipped: ").split())
        return f"no: {reason[:MAX_REASON]}{'…' * (len(reason) > MAX_REASON)}"
    cost = f", {row.gates_text} in {row.cpu_seconds:.1f} CPU s" if row.suite == OWN else ""
    return f"yes, {row.verified}{cost}"
