"""Kinds of panels, and the parts that all panels share."""

from collections.abc import Callable, Mapping
from typing import Any

from grafana_foundation_sdk.builders import barchart, bargauge, common, stat, table, xychart
from grafana_foundation_sdk.builders import dashboard as board
from grafana_foundation_sdk.builders import timeseries as series
from grafana_foundation_sdk.models import common as shapes
from grafana_foundation_sdk.models import dashboard as model
from grafana_foundation_sdk.models.xychart import SeriesMapping, XYShowMode


def logarithmic(panel: Any) -> Any:
    """Make a panel's axes logarithmic."""
    scale = common.ScaleDistributionConfig().type(shapes.ScaleDistribution.LOG).log(10)
    return panel.scale_distribution(scale)


def legend(*, beside: bool = False, newest: bool = True) -> common.VizLegendOptions:
    """Return a legend below a panel as a list, or beside it as a table.

    Args:
        beside: whether it is beside the panel.
        newest: whether it has the newest value of each series.
    """
    legend_ = common.VizLegendOptions().show_legend(True)
    mode, place = shapes.LegendDisplayMode, shapes.LegendPlacement
    legend_.display_mode(mode.TABLE if beside else mode.LIST)
    legend_.placement(place.RIGHT if beside else place.BOTTOM)
    return legend_.calcs(["lastNotNull"]) if newest else legend_


def _lines() -> series.Panel:
    panel = series.Panel().line_width(2).fill_opacity(0).span_nulls(True).legend(legend())
    panel.show_points(shapes.VisibilityMode.NEVER).tooltip(_tooltip())
    return panel.color_scheme(
        board.FieldColor().mode(model.FieldColorModeId.PALETTE_CLASSIC_BY_NAME)
    )


def _stacked() -> series.Panel:
    stacking = common.StackingConfig().mode(shapes.StackingMode.NORMAL)
    return _lines().fill_opacity(60).line_width(1).stacking(stacking)


def _figure() -> stat.Panel:
    return (
        stat.Panel()
        .graph_mode(shapes.BigValueGraphMode.AREA)
        .color_mode(shapes.BigValueColorMode.VALUE)
        .text_mode(shapes.BigValueTextMode.AUTO)
        .reduce_options(common.ReduceDataOptions().calcs(["lastNotNull"]))
    )


def _gauges() -> bargauge.Panel:
    return (
        bargauge.Panel()
        .orientation(shapes.VizOrientation.HORIZONTAL)
        .display_mode(shapes.BarGaugeDisplayMode.BASIC)
        .show_unfilled(True)
        .text(common.VizTextDisplayOptions().title_size(13).value_size(16))
        .sizing(shapes.BarGaugeSizing.MANUAL)
        .min_viz_height(16)
        .max_viz_height(30)
        .reduce_options(common.ReduceDataOptions().calcs(["lastNotNull"]))
        .min(0)
    )


def _bars() -> barchart.Panel:
    panel = barchart.Panel().fill_opacity(85).group_width(0.8).bar_width(0.95)
    panel.x_tick_label_rotation(-30).x_tick_label_max_length(32)
    panel.show_value(shapes.VisibilityMode.AUTO)
    return panel.tooltip(_tooltip()).legend(legend(newest=False))


def _points() -> xychart.Panel:
    panel = xychart.Panel().mapping(SeriesMapping.AUTO).show(XYShowMode.POINTS)
    result: xychart.Panel = logarithmic(panel.tooltip(_tooltip()).legend(legend(newest=False)))
    return result


def _table() -> table.Panel:
    return table.Panel().filterable(False).cell_height(shapes.TableCellHeight.SM)


def _tooltip() -> common.VizTooltipOptions:
    mode = common.VizTooltipOptions().mode(shapes.TooltipDisplayMode.MULTI)
    return mode.sort(shapes.SortOrder.DESCENDING)


KINDS: Mapping[str, Callable[[], Any]] = {
    "lines": _lines,
    "steps_over_time": lambda: _lines().line_interpolation(shapes.LineInterpolation.STEP_AFTER),
    "stacked": _stacked,
    "figure": _figure,
    "gauges": _gauges,
    "bars": _bars,
    "points": _points,
    "listing": _table,
    "figures": _table,
}
"""Lines over time, figures that hold until the next measurement, areas that add up, the newest
value of each series in large digits, a horizontal bar for each series, bars by the first column of
text, points whose first column is across and all others up, a table of one query, and a table with
a row for each combination of labels and a column for each figure."""
