"""The dashboard *Compiler*: what circuits cost, which passes pay, and what compiling takes."""

from grafana_foundation_sdk.models import common as shapes
from grafana_foundation_sdk.models import dashboard as model

from dashboards import colours as c
from dashboards import variables
from dashboards.expressions import (
    CHOSEN,
    COMPILED,
    LEAST_TWO_QUBIT_GATES,
    SPAN,
    TWO_QUBIT_GATES,
    compiled,
    mean,
    quantile,
)
from dashboards.fields import coloured, in_order, logarithmic, matrix, thresholds
from dashboards.layout import Section, Tile, dashboard, tile
from dashboards.panels import Column, bars, figure, figures, gauges, lines, steps_over_time
from dashboards.queries import at_once, over_time, rows

CIRCUIT = "{{program}}, {{target}}, {{method}}, {{encoding}} {{variant}}"
INFO = f"max by ({COMPILED}, pipeline, verified) (stichwerk_benchmark_compilation_info{{{CHOSEN}}})"
SECONDS = "stichwerk_compile_duration_seconds"
LOOKUPS = "stichwerk_compilation_cache_lookups_total"


def compilation() -> model.Dashboard:
    """Return the dashboard."""
    figures_of = "stichwerk_benchmark_two_qubit_gates"
    return dashboard(
        "stichwerk-compiler",
        "Stichwerk: Compiler",
        "What the newest circuits cost, which passes bring them there, how far they are proven, "
        "and how long all that takes.",
        since="now-7d",
        refresh="1m",
        variables=[
            variables.prometheus(),
            variables.label("program", "Program", figures_of),
            variables.label("target", "Target", figures_of),
            variables.label("method", "Method", figures_of),
        ],
        sections=[
            Section("At a glance", _glance()),
            Section("What circuits cost", _costs()),
            Section("Which passes pay", _passes()),
            Section("What compiling takes", _times()),
            Section("Newest compilations", [_newest()]),
        ],
    )


def _glance() -> list[Tile]:
    regressed = figure(
        "Above their least",
        "Circuits that take more two-qubit gates than at some time of the past seven days.",
        "none",
        over_time(
            f"count({TWO_QUBIT_GATES}{{{CHOSEN}}} > {LEAST_TWO_QUBIT_GATES}{{{CHOSEN}}}) "
            "or vector(0)",
            "circuits",
        ),
    )
    proven = figure(
        "Proven",
        "Share of the newest circuits that are proven exactly, or by sampled games.",
        "percentunit",
        over_time(
            f"count({INFO} and on ({COMPILED}) "
            f'stichwerk_benchmark_compilation_info{{verified=~"exact|sampled"}}) / count({INFO})',
            "proven",
        ),
    )
    cached = figure(
        "Compiled before",
        "Share of the jobs of the chosen time whose circuit had been compiled already.",
        "percentunit",
        at_once(
            f'sum(increase({LOOKUPS}{{outcome="hit"}}[$__range])) '
            f"/ sum(increase({LOOKUPS}[$__range]))",
            "hits",
        ),
    )
    omitted = figure(
        "Left out",
        "Combinations of program, target and method that are too old to be exported: the newest "
        "200 are.",
        "none",
        over_time("max(stichwerk_benchmark_omitted_series)", "combinations"),
    )
    verified = gauges(
        "How far circuits are proven",
        "Newest circuits by what their verification says.",
        "none",
        at_once(f"count by (verified) ({INFO})", "{{verified}}"),
    )
    winners = gauges(
        "Which pipeline wins",
        "Newest circuits by the pipeline whose candidate was chosen.",
        "none",
        at_once(f"sort_desc(count by (pipeline) ({INFO}))", "{{pipeline}}"),
    )
    proof = {"exact": c.SKY, "sampled": c.GREEN, "unverified": c.ORANGE}
    return [
        tile(regressed.thresholds(thresholds((None, c.GOOD), (1, c.WATCH))), 4, 4),
        tile(proven.thresholds(thresholds((None, c.WATCH), (1, c.GOOD))), 4, 4),
        tile(cached.decimals(0), 4, 4),
        tile(omitted, 4, 4),
        tile(coloured(verified, proof), 4, 4),
        tile(winners, 4, 4),
    ]


def _costs() -> list[Tile]:
    gates = steps_over_time(
        "Two-qubit gates",
        "Of the newest circuits; logarithmic.",
        "short",
        over_time(f"{TWO_QUBIT_GATES}{{{CHOSEN}}}", CIRCUIT),
    )
    depth = steps_over_time(
        "Two-qubit depth",
        "Layers of the newest circuits that hold two-qubit gates; logarithmic.",
        "short",
        over_time(compiled("two_qubit_depth"), CIRCUIT),
    )
    # Rows are merged by their labels, the names of recorded series among them: `max` drops those.
    newest, least = (
        f"max by ({COMPILED}) ({recorded}{{{CHOSEN}}})"
        for recorded in (TWO_QUBIT_GATES, LEAST_TWO_QUBIT_GATES)
    )
    above = figures(
        "Against the least of seven days",
        "Two-qubit gates now and at their least. Above 0 %, a change has made the circuit worse, "
        "or it was compiled with other options.",
        COMPILED.split(", "),
        [
            Column("gates", newest, "short"),
            Column("least", least, "short"),
            Column(
                "above",
                f"{newest} / clamp_min({least}, 1) - 1",
                "percentunit",
                1,
                ((None, c.PLAIN), (0.0001, c.BAD)),
            ),
        ],
    )
    return [tile(logarithmic(gates), 6, 10), tile(logarithmic(depth), 6, 10), tile(above, 12, 10)]


def _passes() -> list[Tile]:
    def after(figure_: str, title: str, description: str, unit: str, width: int = 12) -> Tile:
        panel = bars(
            title,
            description + " One group a pass in order, one bar a circuit: choose few.",
            unit,
            rows(
                f"label_join(label_join(max by ({COMPILED}, step) "
                f"(stichwerk_benchmark_step_{figure_}{{{CHOSEN}}}), "
                '"kind", " ", "encoding", "variant"), '
                '"circuit", ", ", "program", "target", "method", "kind")'
            ),
        )
        panel.show_value(shapes.VisibilityMode.NEVER)
        return tile(in_order(matrix(panel, "step", "circuit"), "step\\circuit"), width, 10)

    return [
        after(
            "two_qubit_gates",
            "Two-qubit gates after each pass",
            "From the first pass after which no gate is wider.",
            "short",
        ),
        after("two_qubit_depth", "Two-qubit depth after each pass", "Likewise.", "short"),
        after("duration_seconds", "Time of each pass", "Of the chosen candidate alone.", "s", 24),
    ]


def _times() -> list[Tile]:
    typical = lines(
        "Time of a stage, p50 and p95",
        "One attempt of a portfolio in a stage: lowering, refining, proving.",
        "s",
        over_time(quantile(0.5, SECONDS, "stage", "$__rate_interval"), "{{stage}} p50"),
        over_time(quantile(0.95, SECONDS, "stage", "$__rate_interval"), "{{stage}} p95"),
    )
    by_pipeline = bars(
        "Mean time by pipeline and stage",
        "Over the chosen time, one attempt.",
        "s",
        rows(mean(SECONDS, "pipeline, stage", "$__range")),
    )
    whole = steps_over_time(
        "Time of a whole compilation",
        "All attempts and proofs of the newest compilation; logarithmic.",
        "s",
        over_time(compiled("compile_duration_seconds"), CIRCUIT),
    )
    lookups = lines(
        "Circuits looked up",
        "Jobs a minute whose circuit had been compiled before (hit), or not (miss).",
        "short",
        over_time(f"60 * sum by (outcome) (rate({LOOKUPS}[$__rate_interval]))", "{{outcome}}"),
    )
    return [
        tile(typical.interval(SPAN), 6, 9),
        tile(matrix(by_pipeline, "pipeline", "stage"), 6, 9),
        tile(logarithmic(whole), 6, 9),
        tile(coloured(lookups.interval(SPAN), c.OUTCOMES), 6, 9),
    ]


def _newest() -> Tile:
    panel = figures(
        "Newest compilations",
        "All figures of the chosen circuit of the newest compilation of its kind.",
        [*COMPILED.split(", "), "pipeline", "verified"],
        [
            Column("two-qubit gates", _with_info("two_qubit_gates"), "short"),
            Column("two-qubit depth", _with_info("two_qubit_depth"), "short"),
            Column("depth", _with_info("depth"), "short"),
            Column("gates", _with_info("gates"), "short"),
            Column("qubits", _with_info("qubits")),
            Column("duration", _with_info("circuit_duration_seconds"), "s"),
            Column("expected fidelity", _with_info("expected_fidelity_ratio"), decimals=3),
            Column("compiled in", _with_info("compile_duration_seconds"), "s"),
            Column("made", f"1000 * {_with_info('compile_timestamp_seconds')}", "dateTimeAsIso"),
        ],
    )
    return tile(panel, 24, 12)


def _with_info(figure_: str) -> str:
    return f"{INFO} * on ({COMPILED}) group_left () {compiled(figure_)}"
