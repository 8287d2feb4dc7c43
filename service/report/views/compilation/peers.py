"""Stichwerk against other compilers."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from compiler.words.held_inputs import FROM_ZERO
from service.pages.plots import Plot, Point, categories, rounded, traces
from service.pages.tables import Section, badge, count_of, figure_of, nothing, table
from service.report.records import Records
from service.report.views.naming import minute
from workers.records.tables import PeerResult

OURS = ("stichwerk", "stichwerk-any-input", "stichwerk-fast")
COLOURS = {
    "stichwerk": "--hue-5",
    "stichwerk-any-input": "--hue-0",
    "stichwerk-fast": "--ink",
    "qiskit": "--hue-1",
    "tket": "--hue-2",
    "bqskit": "--hue-3",
    "qmap": "--hue-4",
    "iqm": "--hue-6",
}
SYMBOLS = {
    "stichwerk": "star",
    "stichwerk-any-input": "diamond",
    "stichwerk-fast": "triangle-down",
    "tket": "square",
    "bqskit": "triangle-up",
    "qmap": "cross",
    "iqm": "pentagon",
}
TICKS = (0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10)
ROW, FRAME = 24, 140
PROVEN = ("exact", "sampled")
MAX_ROWS = 60

Case = tuple[str, str, str, str]


def peers(records: Records) -> Section:
    """Return a plot of ratios for every suite, and a table of all results."""
    if not records.peers:
        text = "There are no comparisons yet. Run 'stichwerk peers --suite games'."
        return Section("peers", "Other compilers", parts=[nothing(text)])
    suites = dict.fromkeys(result.suite for result in records.peers)
    ratio = ratios(records.peers)
    plots = [
        _plot(place, suite, [r for r in records.peers if r.suite == suite], ratio, records.targets)
        for place, suite in enumerate(suites)
    ]
    return Section(
        "peers",
        "Other compilers",
        "Two-qubit gates of each compiler's best proven result, divided by those of the best other "
        "compiler, in the newest comparison. Left of 1, Stichwerk has fewer gates than all others. "
        "All compilers get the same circuit.",
        [tuple(plots), _table(records, ratio)],
    )


def ratios(results: Sequence[PeerResult]) -> dict[int, float]:
    """Return each proven result's two-qubit gates over those of the best peer, by its id.

    Results of programs that no peer has a proven result for are left out, and so are those of
    which the best peer needs no gate.
    """
    best: dict[Case, int] = {}
    for result in results:
        if result.peer not in OURS and _counts(result):
            gates = result.two_qubit_gates or 0
            best[_case(result)] = min(best.get(_case(result), gates), gates)
    return {
        result.id: (result.two_qubit_gates or 0) / best[_case(result)]
        for result in results
        if _counts(result) and best.get(_case(result))
    }


def _counts(result: PeerResult) -> bool:
    return result.verified in PROVEN and result.two_qubit_gates is not None


def _case(result: PeerResult) -> Case:
    return (result.suite, result.program, result.form, result.target)


def _row_name(case: Case, targets: Mapping[str, str]) -> str:
    _, program, form, target = case
    names = (program, targets[target]) if form == "given" else (program, form, targets[target])
    return " · ".join(names)


def _plot(
    place: int,
    suite: str,
    results: Sequence[PeerResult],
    ratio: Mapping[int, float],
    targets: Mapping[str, str],
) -> Plot:
    cases = list(dict.fromkeys(_case(r) for r in results if r.id in ratio))[:MAX_ROWS]
    shown = [r for r in results if r.id in ratio and _case(r) in cases]
    points = [
        Point(
            r.peer, ratio[r.id], _row_name(_case(r), targets),
            (r.two_qubit_gates, r.two_qubit_depth, r.holds, rounded(r.seconds, 2)),
        )
        for r in shown
    ]  # fmt: skip
    better = sum(r.peer == "stichwerk" and ratio[r.id] < 1 for r in shown)
    return Plot(
        f"peers-{place}",
        f"Suite {suite}, {minute(results[-1].created_at)} UTC",
        f"Ratios of two-qubit gates to the best other compiler in suite {suite}: Stichwerk needs "
        f"fewer gates than all others for {better} of {len(cases)} programs and targets.",
        traces(
            points,
            "%{x:.3f}: %{customdata[0]} two-qubit gates, depth %{customdata[1]}, "
            "%{customdata[2]}, %{customdata[3]} s",
            lambda peer: {
                "marker": {
                    "color": COLOURS.get(peer, "--soft"),
                    "symbol": SYMBOLS.get(peer, "circle"),
                    "size": 14 if peer == "stichwerk" else 9,
                    "opacity": 0.9,
                }
            },
        ),
        {
            "xaxis": {"type": "log", "title": {"text": "two-qubit gates / best other compiler"},
                      "tickvals": TICKS, "ticktext": [f"{tick:g}" for tick in TICKS]},
            "yaxis": categories([_row_name(c, targets) for c in cases], autorange="reversed"),
            "shapes": [{"type": "line", "x0": 1, "x1": 1, "yref": "paper", "y0": 0, "y1": 1,
                        "line": {"color": "--soft", "width": 1}, "layer": "below"}],
        },
        FRAME + ROW * max(3, len(cases)),
    )  # fmt: skip


def _table(records: Records, ratio: Mapping[int, float]) -> Markup:
    return table(
        "All results; ratio: two-qubit gates divided by those of the best other compiler",
        ("suite", "program", "form", "target", "compiler", "two-qubit gates", "ratio",
         "two-qubit depth", "depth", "gates", "time (s)", "proof", "input", "variant"),
        [
            (r.suite, r.program, r.form, records.targets[r.target], r.peer,
             count_of(r.two_qubit_gates, from_zero=r.holds == FROM_ZERO),
             figure_of(ratio.get(r.id)),
             r.two_qubit_depth, r.depth, r.gates, figure_of(r.seconds, 1), badge(r.verified),
             r.holds, r.variant)
            for r in records.peers
        ],
    )  # fmt: skip
