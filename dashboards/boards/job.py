"""The dashboard *Job*: everything that the records say about one job.

Prometheus keeps no single jobs, so these panels ask the database itself.
"""

from grafana_foundation_sdk.builders import common
from grafana_foundation_sdk.models import common as shapes
from grafana_foundation_sdk.models import dashboard as model

from dashboards import colours as c
from dashboards import variables
from dashboards.boards.estimates import recorded_estimates
from dashboards.fields import (
    COLOURED_TEXT,
    DATE_WIDTH,
    HIDDEN,
    coloured,
    decimals,
    linked,
    units,
    width_of,
    widths,
)
from dashboards.layout import Section, Tile, dashboard, tile
from dashboards.panels import bars, figure, listing
from dashboards.queries import Sql

THIS = "/d/stichwerk-job?var-job=${__value.raw}&${program:queryparam}&${backend:queryparam}"
STATE_COLOURS = model.DynamicConfigValue(
    "mappings",
    [
        model.ValueMap(
            options={
                state: model.ValueMappingResult(color=colour, index=place)
                for place, (state, colour) in enumerate(c.STATES.items())
            }
        )
    ],
)
DISTANCES = ("normalised fidelity", "Hellinger fidelity", "total variation distance")
TRIED = (
    "chosen",
    "two-qubit gates",
    "two-qubit depth",
    "depth",
    "gates",
    "qubits",
    "expected fidelity",
    "verified",
    "lowering",
    "proving",
)
SHARES = ("legal",)


def job() -> model.Dashboard:
    """Return the dashboard."""
    return dashboard(
        "stichwerk-job",
        "Stichwerk: Job",
        "One job from its submission to its scores, with the circuit that it ran. Figures come "
        "from the records in PostgreSQL.",
        since="now-7d",
        refresh="30s",
        variables=[
            variables.postgres(),
            variables.records("program", "Program"),
            variables.records("backend", "Device"),
            variables.records("job", "Job", one=True),
            variables.records("estimated", "Device with estimates"),
        ],
        sections=[
            Section("Job $job", [_summary()]),
            Section("What came of it", [_counts(), _scores(), _observables()]),
            Section("How it went", [_durations(), _timeline(), _facts()]),
            Section("The circuit", _circuit()),
            Section("Other jobs", [_jobs()]),
            Section("Estimates", recorded_estimates()),
        ],
    )


def _summary() -> Tile:
    panel = figure(
        "Job $job",
        "State, time from submission to end (or now), and the figures that matter most; what is "
        "not known is left empty.",
        "none",
        Sql("summary"),
    )
    panel.reduce_options(common.ReduceDataOptions().calcs(["lastNotNull"]).fields("/.*/"))
    panel.graph_mode(shapes.BigValueGraphMode.NONE).no_value("–")
    panel.override_by_name("state", [STATE_COLOURS])
    units(panel, {"submission to end": "s", "estimated cost": "currencyUSD"})
    decimals(panel, 3, ("normalised fidelity", "post-selected", "expected fidelity"))
    return tile(panel, 24, 4)


def _counts() -> Tile:
    panel = bars(
        "Counts",
        "The 32 outcomes measured most often, as bits, bit 0 on the right.",
        "short",
        Sql("counts"),
    )
    panel.x_tick_label_rotation(-60).show_value(shapes.VisibilityMode.NEVER)
    panel.legend(common.VizLegendOptions().show_legend(False))
    # Else Grafana takes bits for decimal numbers, and shortens them.
    units(panel, {"outcome": "string"})
    return tile(coloured(panel, {"shots": c.BLUE}), 8, 9)


def _scores() -> Tile:
    panel = listing(
        "Scores",
        "Of all shots (raw), of the legal ones alone (post-selected), and with readout errors "
        "undone (mitigated). Where nobody says what is right there are none.",
        "short",
        Sql("scores"),
    )
    units(panel, dict.fromkeys(SHARES, "percentunit"))
    decimals(panel, 1, SHARES)
    decimals(panel, 3, DISTANCES)
    widths(panel, {"scored": 165, **{name: width_of(name) for name in (*SHARES, *DISTANCES)}})
    return tile(panel, 16, 9)


def _observables() -> Tile:
    panel = listing(
        "Observables",
        "What the outcomes of the game have, with 95 % intervals, against the exact values by the "
        "rules.",
        "none",
        Sql("observables"),
    )
    return tile(panel.decimals(3), 24, 6)


def _durations() -> Tile:
    panel = bars("Time in each state", "Until the job ended, or now.", "s", Sql("durations"))
    panel.orientation(shapes.VizOrientation.HORIZONTAL).x_tick_label_rotation(0)
    panel.text(common.VizTextDisplayOptions().value_size(12))
    panel.legend(common.VizLegendOptions().show_legend(False))
    return tile(coloured(panel, {"time": c.SKY}), 6, 11)


def _timeline() -> Tile:
    panel = listing(
        "Timeline", "What happened, and how long it was until the next.", "none", Sql("timeline")
    )
    panel.override_by_name("at", [model.DynamicConfigValue("unit", "dateTimeAsIso")])
    panel.override_by_name("state", [STATE_COLOURS, COLOURED_TEXT])
    units(panel, {"lasted": "s"})
    widths(panel, {"at": DATE_WIDTH, "state": 95, "lasted": 85})
    return tile(panel, 10, 11)


def _facts() -> Tile:
    panel = listing(
        "Facts", "What was asked for, and what the provider said.", "none", Sql("facts")
    )
    widths(panel, {"fact": 150})
    return tile(panel, 8, 11)


def _circuit() -> list[Tile]:
    made = listing(
        "Compilation",
        "How the circuit was made, by which versions, and how far it is proven.",
        "none",
        Sql("compilation"),
    )
    passes = bars(
        "Gates after each pass",
        "Two-qubit gates and two-qubit depth that each pass of the chosen candidate left.",
        "short",
        Sql("steps"),
    )
    passes.override_by_name("time", [HIDDEN])
    coloured(passes, {"two-qubit gates": c.BLUE, "two-qubit depth": c.ORANGE})
    times = listing(
        "Passes", "The same as a table, with the time that each pass took.", "none", Sql("steps")
    )
    units(times, {"time": "s"})
    widths(times, {name: width_of(name) for name in ("two-qubit gates", "two-qubit depth", "time")})
    tried = listing(
        "Candidates",
        "All that the portfolio tried for this circuit; ★ was chosen.",
        "none",
        Sql("candidates"),
    )
    units(tried, {"lowering": "s", "proving": "s"})
    widths(tried, {name: width_of(name) for name in TRIED})
    widths(made, {"fact": 130})
    decimals(tried, 3, ["expected fidelity"])
    return [tile(made, 8, 11), tile(passes, 8, 11), tile(times, 8, 11), tile(tried, 24, 9)]


def _jobs() -> Tile:
    panel = listing(
        "Newest jobs",
        "Of the chosen programs and devices; a click on a number leads to the job.",
        "none",
        Sql("jobs"),
    )
    linked(panel, "job", "This job", THIS)
    panel.override_by_name("state", [STATE_COLOURS, COLOURED_TEXT])
    units(panel, {"submission to end": "s", "submitted": "dateTimeAsIso"})
    decimals(panel, 3, ["normalised fidelity"])
    widths(panel, {"job": 70, "state": 105, "shots": 80, "submitted": DATE_WIDTH})
    widths(panel, {"normalised fidelity": 175, "submission to end": 175})
    return tile(panel.filterable(True), 24, 10)
