"""The dashboard *Benchmarks*: did the machines get better, and the circuits?"""

from grafana_foundation_sdk.models import common as shapes
from grafana_foundation_sdk.models import dashboard as model

from dashboards import colours as c
from dashboards import variables
from dashboards.boards.estimates import newest_estimates
from dashboards.boards.newest_figures import newest_runs, peers, volume
from dashboards.expressions import (
    CHOSEN,
    CHOSEN_RUN,
    FIDELITY,
    FIRING,
    LEAST_TWO_QUBIT_GATES,
    OBSERVED,
    RUN,
    TWO_QUBIT_GATES,
    changed,
    of_the_runs,
    run,
    scored,
)
from dashboards.fields import DASHED, coloured, legend_beside, logarithmic, matrix, thresholds
from dashboards.layout import Section, Tile, dashboard, tile
from dashboards.panels import Column, bars, figure, figures, steps_over_time
from dashboards.queries import over_time, rows

NO_GRAPH = shapes.BigValueGraphMode.NONE
RAW = f'{CHOSEN_RUN}, selection="raw"'
PROGRAM_ON_TARGET = "{{program}}, {{target}}, {{method}}, {{encoding}} {{variant}}"


def benchmarks() -> model.Dashboard:
    """Return the dashboard."""
    return dashboard(
        "stichwerk-benchmarks",
        "Stichwerk: Benchmarks",
        "How well machines play, what circuits cost, and how that changes. Every figure is of the "
        "newest job or compilation of its kind.",
        since="now-30d",
        refresh="5m",
        variables=[
            variables.prometheus(),
            variables.label("program", "Program", "stichwerk_benchmark_two_qubit_gates"),
            variables.label("target", "Target", "stichwerk_benchmark_two_qubit_gates"),
            variables.label("method", "Method", "stichwerk_benchmark_two_qubit_gates"),
            variables.label("backend", "Device", "stichwerk_benchmark_shots"),
            variables.label("selection", "Shots", "stichwerk_benchmark_normalized_fidelity_ratio"),
            variables.one_label("observable", "Observable", "stichwerk_benchmark_observable"),
            variables.label("suite", "Suite of peers", "stichwerk_peer_two_qubit_gates"),
            variables.label("form", "Form", "stichwerk_peer_two_qubit_gates"),
        ],
        sections=[
            Section("Did the machine get better?", _better()),
            Section("How well do machines play?", [*_playing(), _by_device()]),
            Section("What do circuits cost?", _circuits()),
            Section("Does amplitude estimation pay?", newest_estimates()),
            Section("Ours against other compilers", peers()),
            Section("How far do cards and players go?", volume()),
            Section("Newest figures", [newest_runs()]),
        ],
    )


def _better() -> list[Tile]:
    fidelity = figure(
        "Normalised fidelity",
        "Mean over the chosen programs of the newest run's raw score: 0 is uniform noise, 1 is "
        "the exact distribution.",
        "none",
        over_time(f"avg by (backend) ({FIDELITY}{{{RAW}}})", "{{backend}}"),
    )
    change = figures(
        "Newest run against earlier ones of the same circuit",
        "Difference of normalised fidelity on the same native circuit with comparable shots; a "
        "run of a circuit that is new is not compared. All intervals hold together with 95 % "
        "(Bonferroni): the machine got better where both ends are above 0 (blue), worse where "
        "both are below (vermillion).",
        RUN.split(", "),
        [
            Column("change", changed("estimate"), decimals=3),
            Column("at least", changed("low"), decimals=3, steps=((None, c.PLAIN), (0.0, c.GOOD))),
            Column("at most", changed("high"), decimals=3, steps=((None, c.BAD), (0.0, c.PLAIN))),
        ],
    )
    regressed = figure(
        "Above their least",
        "How many of the chosen circuits take more two-qubit gates than at some time of the past "
        "seven days. The dashboard *Compiler* says which.",
        "none",
        over_time(
            f"count({TWO_QUBIT_GATES}{{{CHOSEN}}} > {LEAST_TWO_QUBIT_GATES}{{{CHOSEN}}}) "
            "or vector(0)",
            "circuits",
        ),
    )
    firing = figure(
        "Alerts",
        "Alerts of Stichwerk that are firing; docs/dashboards.md says what to do.",
        "none",
        over_time(FIRING, "firing"),
    )
    return [
        tile(fidelity.decimals(3).graph_mode(NO_GRAPH), 16, 6),
        tile(regressed.thresholds(thresholds((None, c.GOOD), (1, c.WATCH))), 4, 6),
        tile(firing.thresholds(thresholds((None, c.GOOD), (1, c.BAD))), 4, 6),
        tile(change, 24, 7),
    ]


def _by_device() -> Tile:
    panel = steps_over_time(
        "$backend: fidelity",
        "Normalised fidelity of the newest runs by which shots are scored, beside the success "
        "probability that the calibration promises for the circuit (dashed). Scores far below "
        "the promise speak against the device, a falling promise against calibration or circuit.",
        "none",
        over_time(
            f'{FIDELITY}{{{CHOSEN_RUN}, selection=~"$selection"}}',
            "{{program}}, {{method}}, {{encoding}}: {{selection}}",
        ),
        over_time(of_the_runs("expected_fidelity_ratio"), "{{program}}, {{method}}: expected"),
    )
    panel.decimals(3).axis_soft_min(0).max(1).repeat("backend").max_per_row(2)
    coloured(panel, c.SELECTIONS | {"expected": c.GREY}, shades=True)
    panel.override_by_regexp("/: expected$/", [DASHED])
    return tile(legend_beside(panel), 24, 8)


def _playing() -> list[Tile]:
    observed = steps_over_time(
        "$observable against exact",
        "As measured on all shots: events, such as a win, as their share, with illegal shots "
        "counted as none; numbers as their mean over the legal shots. Dashed, the exact value by "
        "the rules.",
        "none",
        over_time(OBSERVED, "{{program}}, {{method}} on {{backend}}: measured"),
        over_time(
            "max by (program) (stichwerk_benchmark_observable_exact"
            f'{{{CHOSEN_RUN}, observable=~"$observable"}})',
            "{{program}}: exact",
        ),
    )
    observed.decimals(3).axis_soft_min(0).override_by_regexp("/: exact$/", [DASHED])
    legal = steps_over_time(
        "Legal shots",
        "Share of the shots that are outcomes by the rules; the rest is noise that "
        "post-selection discards.",
        "percentunit",
        over_time(run("legal_ratio"), "{{program}}, {{method}} on {{backend}}"),
    )
    plain = steps_over_time(
        "Hellinger fidelity",
        "Not normalised: uniform noise scores well above 0, so compare only runs of the same "
        "program.",
        "none",
        over_time(
            scored("hellinger_fidelity_ratio", "$selection"),
            "{{program}}, {{method}} on {{backend}}: {{selection}}",
        ),
    )
    return [
        tile(observed, 8, 9),
        tile(legal.min(0).max(1), 8, 9),
        tile(plain.decimals(3).axis_soft_min(0).max(1), 8, 9),
    ]


def _circuits() -> list[Tile]:
    gates = steps_over_time(
        "Two-qubit gates",
        "Of the newest circuit for each target by each method.",
        "short",
        over_time(f"{TWO_QUBIT_GATES}{{{CHOSEN}}}", PROGRAM_ON_TARGET),
    )
    bare = bars(
        "Two-qubit gates by method",
        "Of the newest circuits: what each method makes of the same program for the same target; "
        "logarithmic.",
        "short",
        rows(
            f"label_join(min by (program, target, method) ({TWO_QUBIT_GATES}{{{CHOSEN}}}), "
            '"circuit", ", ", "program", "target")'
        ),
    )
    return [
        tile(logarithmic(legend_beside(gates)), 12, 9),
        tile(logarithmic(matrix(bare, "circuit", "method")), 12, 9),
    ]
