"""The kinds of panels, and what all panels of a kind have in common."""

from collections.abc import Sequence
from string import ascii_uppercase

from attrs import frozen
from grafana_foundation_sdk.builders import (
    barchart,
    bargauge,
    common,
    prometheus,
    stat,
    table,
    xychart,
)
from grafana_foundation_sdk.builders import dashboard as board
from grafana_foundation_sdk.builders import timeseries as series
from grafana_foundation_sdk.models import common as shapes
from grafana_foundation_sdk.models import dashboard as model
from grafana_foundation_sdk.models.xychart import SeriesMapping, XYShowMode

from dashboards.colours import PLAIN
from dashboards.fields import DATE_WIDTH, P, logarithmic, thresholds, width_of, widths
from dashboards.queries import POSTGRES, PROMETHEUS, Sql, rows

Query = prometheus.Dataquery | Sql

LABEL_WIDTHS = {
    "program": 110,
    "target": 165,
    "method": 75,
    "encoding": 85,
    "variant": 90,
    "backend": 135,
    "pipeline": 100,
    "verified": 80,
    "suite": 90,
    "form": 75,
    "observable": 95,
    "estimator": 90,
}
"""Pixels that the values of labels take in tables."""


@frozen
class Column:
    """One column of figures.

    Args:
        name: its heading.
        expression: in PromQL.
        unit: as Grafana calls it.
        decimals: digits after the point; None if Grafana is to choose.
        steps: thresholds, if its cells are to be coloured; see `thresholds`.
    """

    name: str
    expression: str
    unit: str = "none"
    decimals: int | None = None
    steps: tuple[tuple[float | None, str], ...] = ()


def lines(title: str, description: str, unit: str, *queries: Query) -> series.Panel:
    """Return a panel with lines over time."""
    legend = (
        common.VizLegendOptions()
        .show_legend(True)
        .display_mode(shapes.LegendDisplayMode.LIST)
        .placement(shapes.LegendPlacement.BOTTOM)
        .calcs(["lastNotNull"])
    )
    panel = series.Panel().line_width(2).fill_opacity(0).span_nulls(True).legend(legend)
    panel.show_points(shapes.VisibilityMode.NEVER).tooltip(_tooltip())
    panel.color_scheme(board.FieldColor().mode(model.FieldColorModeId.PALETTE_CLASSIC_BY_NAME))
    return _dressed(panel, title, description, unit, queries)


def steps_over_time(title: str, description: str, unit: str, *queries: Query) -> series.Panel:
    """Return a panel with figures that hold until the next measurement."""
    panel = lines(title, description, unit, *queries)
    return panel.line_interpolation(shapes.LineInterpolation.STEP_AFTER)


def stacked(title: str, description: str, unit: str, *queries: Query) -> series.Panel:
    """Return a panel with areas over time that add up."""
    panel = lines(title, description, unit, *queries).fill_opacity(60).line_width(1)
    return panel.stacking(common.StackingConfig().mode(shapes.StackingMode.NORMAL))


def figure(title: str, description: str, unit: str, *queries: Query) -> stat.Panel:
    """Return a panel with the newest value of each series in large digits."""
    panel = (
        stat.Panel()
        .graph_mode(shapes.BigValueGraphMode.AREA)
        .color_mode(shapes.BigValueColorMode.VALUE)
        .text_mode(shapes.BigValueTextMode.AUTO)
        .reduce_options(common.ReduceDataOptions().calcs(["lastNotNull"]))
        .thresholds(thresholds((None, PLAIN)))
    )
    return _dressed(panel, title, description, unit, queries)


def gauges(title: str, description: str, unit: str, *queries: Query) -> bargauge.Panel:
    """Return a panel with one horizontal bar a series."""
    panel = (
        bargauge.Panel()
        .orientation(shapes.VizOrientation.HORIZONTAL)
        .display_mode(shapes.BarGaugeDisplayMode.BASIC)
        .show_unfilled(True)
        .text(common.VizTextDisplayOptions().title_size(13).value_size(16))
        .sizing(shapes.BarGaugeSizing.MANUAL)
        .min_viz_height(16)
        .max_viz_height(30)
        .reduce_options(common.ReduceDataOptions().calcs(["lastNotNull"]))
        .thresholds(thresholds((None, PLAIN)))
        .min(0)
    )
    return _dressed(panel, title, description, unit, queries)


def bars(title: str, description: str, unit: str, *queries: Query) -> barchart.Panel:
    """Return a panel with bars by the first column of text, a group for each of its values."""
    legend = common.VizLegendOptions().show_legend(True)
    panel = (
        barchart.Panel()
        .fill_opacity(85)
        .group_width(0.8)
        .bar_width(0.95)
        .x_tick_label_rotation(-30)
        .x_tick_label_max_length(32)
        .show_value(shapes.VisibilityMode.AUTO)
        .tooltip(_tooltip())
        .legend(
            legend.display_mode(shapes.LegendDisplayMode.LIST).placement(
                shapes.LegendPlacement.BOTTOM
            )
        )
    )
    return _dressed(panel, title, description, unit, queries)


def points(title: str, description: str, unit: str, *queries: Query) -> xychart.Panel:
    """Return a panel with points: the first column is across, all others up; both logarithmic."""
    legend = common.VizLegendOptions().show_legend(True)
    panel = (
        xychart.Panel()
        .mapping(SeriesMapping.AUTO)
        .show(XYShowMode.POINTS)
        .tooltip(_tooltip())
        .legend(
            legend.display_mode(shapes.LegendDisplayMode.LIST).placement(
                shapes.LegendPlacement.BOTTOM
            )
        )
    )
    return logarithmic(_dressed(panel, title, description, unit, queries))


def listing(title: str, description: str, unit: str, *queries: Query) -> table.Panel:
    """Return a panel with a table."""
    panel = table.Panel().filterable(False).cell_height(shapes.TableCellHeight.SM)
    return _dressed(panel, title, description, unit, queries)


def figures(
    title: str, description: str, labels: Sequence[str], columns: Sequence[Column]
) -> table.Panel:
    """Return a table with a row for each combination of labels and a column for each figure.

    Args:
        title: of the panel.
        description: of the panel.
        labels: that all columns' series have, in their order.
        columns: in their order.
    """
    panel = listing(title, description, "none", *(rows(column.expression) for column in columns))
    fields = [f"Value #{ref}" for ref in ascii_uppercase[: len(columns)]]
    panel.with_transformation(model.DataTransformerConfig("merge", options={}))
    panel.with_transformation(
        model.DataTransformerConfig(
            "organize",
            options={
                "excludeByName": {"Time": True},
                "indexByName": {name: place for place, name in enumerate([*labels, *fields])},
                "renameByName": {
                    field: column.name for field, column in zip(fields, columns, strict=True)
                },
            },
        )
    )
    for column in columns:
        panel.override_by_name(column.name, _properties(column))
    return widths(panel, {label: LABEL_WIDTHS[label] for label in labels})


def _properties(column: Column) -> list[model.DynamicConfigValue]:
    room = DATE_WIDTH if column.unit == "dateTimeAsIso" else width_of(column.name)
    found = [
        model.DynamicConfigValue("unit", column.unit),
        model.DynamicConfigValue("custom.width", room),
    ]
    if column.decimals is not None:
        found.append(model.DynamicConfigValue("decimals", column.decimals))
    if column.steps:
        cell = shapes.TableColorTextCellOptions()
        found.append(model.DynamicConfigValue("thresholds", thresholds(*column.steps).build()))
        found.append(model.DynamicConfigValue("custom.cellOptions", cell))
    return found


def _tooltip() -> common.VizTooltipOptions:
    return (
        common.VizTooltipOptions()
        .mode(shapes.TooltipDisplayMode.MULTI)
        .sort(shapes.SortOrder.DESCENDING)
    )


def _dressed(panel: P, title: str, description: str, unit: str, queries: Sequence[Query]) -> P:
    source = POSTGRES if isinstance(queries[0], Sql) else PROMETHEUS
    panel.title(title).description(description).unit(unit).datasource(source)
    for ref_id, query in zip(ascii_uppercase, queries, strict=False):
        panel.with_target(query.ref_id(ref_id))
    return panel
