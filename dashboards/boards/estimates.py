"""Amplitude estimation as a benchmark: do iterates help a device, in spite of its noise?"""

from grafana_foundation_sdk.models import dashboard as model

from dashboards import colours as c
from dashboards.expressions import ESTIMATE, estimate
from dashboards.fields import (
    DATE_WIDTH,
    coloured,
    decimals,
    legend_beside,
    linked,
    units,
    width_of,
    widths,
)
from dashboards.layout import Tile, tile
from dashboards.panels import Column, figures, listing, points, steps_over_time
from dashboards.queries import Sql, over_time

JOB = "/d/stichwerk-job?var-program=${__data.fields.program}&var-backend=${__data.fields.backend}"
THIS = "/d/stichwerk-job?var-job=${__value.raw}&${program:queryparam}&${backend:queryparam}"
LINE = model.DynamicConfigValue("custom.show", "lines")
WORTH = ((None, c.BAD), (1.0, c.GOOD))
WITHIN = ((None, c.PLAIN), (1.0, c.BAD))

ESTIMATORS = {
    "iterative": c.BLUE,
    "bayesian": c.PURPLE,
    "counting": c.YELLOW,
}
"""Of `compiler.words.estimator_names.EstimatorName`."""


def newest_estimates() -> list[Tile]:
    """Return the newest figures of every kind, and how they have changed."""
    worth = steps_over_time(
        "What a call is worth",
        "How many runs of a perfect machine one call of the program replaces, where these are "
        "merely counted, for as narrow an interval: above 1, iterates help in spite of noise.",
        "none",
        over_time(
            f"{estimate('sampling_calls')} / {estimate('calls')}",
            "{{program}}, {{observable}} on {{backend}}, {{estimator}}",
        ),
    )
    found = figures(
        "Newest estimates",
        "The newest estimate of every program, event, estimator and device. Off by more than half "
        "of the interval (vermillion): noise that the estimator does not know, or chance. A click "
        "on a program leads to all its estimates.",
        ESTIMATE.split(", "),
        [
            Column("estimate", estimate("probability"), decimals=4),
            Column("±", estimate("half_width"), decimals=4),
            Column("exact", estimate("exact"), decimals=4),
            Column("off by", estimate("error"), decimals=4),
            Column(
                "off by / ±",
                f"{estimate('error')} / {estimate('half_width')}",
                decimals=2,
                steps=WITHIN,
            ),
            Column("calls", estimate("calls"), "short"),
            Column("sampling", estimate("sampling_calls"), "short"),
            Column(
                "worth",
                f"{estimate('sampling_calls')} / {estimate('calls')}",
                decimals=2,
                steps=WORTH,
            ),
            Column("iterates", estimate("iterates")),
            Column("made", f"1000 * {estimate('timestamp_seconds')}", "dateTimeAsIso"),
        ],
    )
    linked(found, "program", "Its estimates", JOB)
    return [tile(legend_beside(worth.decimals(2).axis_soft_min(0)), 24, 8), tile(found, 24, 9)]


def recorded_estimates() -> list[Tile]:
    """Return all estimates of the chosen programs and devices, of which Prometheus keeps none."""
    errors = points(
        "$estimated: error against calls",
        "Half of the interval by estimator, the distance from the exact value, and half of the "
        "interval that a perfect machine's counts have after as many calls, which falls like "
        "1/√N.",
        "short",
        Sql("errors_by_calls"),
    )
    coloured(errors, ESTIMATORS | {"off by": c.ORANGE, "sampling": c.GREY})
    errors.override_by_name("sampling", [LINE])
    errors.repeat("estimated").max_per_row(3)
    table = listing(
        "Estimates",
        "Of the chosen programs and devices, the newest first; a click on a number leads to the "
        "job. Holds: whether the interval has the exact value in it.",
        "none",
        Sql("estimates"),
    )
    linked(table, "job", "This estimate", THIS)
    units(table, {"ended": "dateTimeAsIso", "calls": "short", "sampling takes": "short"})
    decimals(table, 4, ("estimate", "from", "to", "exact", "off by"))
    decimals(table, 2, ["a call is worth"])
    widths(table, {name: width_of(name) for name in ("sampling takes", "a call is worth")})
    widths(table, dict.fromkeys(("estimate", "from", "to", "exact", "off by", "calls"), 75))
    widths(table, {"job": 70, "ended": DATE_WIDTH, "circuit": 110, "holds": 60, "iterates": 75})
    return [tile(errors, 24, 9), tile(table, 24, 9)]
