"""How panels show their fields: units, colours, scales and links."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from grafana_foundation_sdk.builders import barchart, bargauge, common, stat, table, xychart
from grafana_foundation_sdk.builders import dashboard as board
from grafana_foundation_sdk.builders import timeseries as series
from grafana_foundation_sdk.models import common as shapes
from grafana_foundation_sdk.models import dashboard as model

P = TypeVar(
    "P", series.Panel, stat.Panel, table.Panel, barchart.Panel, bargauge.Panel, xychart.Panel
)
L = TypeVar("L", series.Panel, barchart.Panel)
S = TypeVar("S", series.Panel, barchart.Panel, xychart.Panel)

DASHED = model.DynamicConfigValue("custom.lineStyle", {"fill": "dash", "dash": [10, 10]})
"""What lets a line look like a reference."""

COLOURED_TEXT = model.DynamicConfigValue("custom.cellOptions", shapes.TableColorTextCellOptions())
"""What lets the text of a table's column have the colour of its value."""

HIDDEN = model.DynamicConfigValue("custom.hideFrom", {"viz": True, "legend": True, "tooltip": True})
"""What keeps a field out of a chart."""


DATE_WIDTH = 165
"""Pixels that a time takes in tables."""


def width_of(heading: str) -> int:
    """Return the pixels that a heading takes in tables, and at least those of a figure."""
    return max(65, 7 * len(heading) + 24)


def widths(panel: P, pixels: Mapping[str, int]) -> P:
    """Give columns of a table widths of their own: what Grafana shares out equally is cut off."""
    for name, width in pixels.items():
        panel.override_by_name(name, [model.DynamicConfigValue("custom.width", width)])
    return panel


def legend_beside(panel: L) -> L:
    """Put the legend of a wide panel beside its lines, as a table."""
    legend = common.VizLegendOptions().show_legend(True).calcs(["lastNotNull"])
    legend.display_mode(shapes.LegendDisplayMode.TABLE)
    return panel.legend(legend.placement(shapes.LegendPlacement.RIGHT))


def in_order(panel: P, field: str) -> P:
    """Sort what a panel shows by a field."""
    return panel.with_transformation(
        model.DataTransformerConfig("sortBy", options={"sort": [{"field": field}]})
    )


def units(panel: P, by_name: Mapping[str, str]) -> P:
    """Give fields units of their own."""
    for name, unit in by_name.items():
        panel.override_by_name(name, [model.DynamicConfigValue("unit", unit)])
    return panel


def decimals(panel: P, digits: int, names: Iterable[str]) -> P:
    """Let fields have so many digits after the point."""
    for name in names:
        panel.override_by_name(name, [model.DynamicConfigValue("decimals", digits)])
    return panel


def linked(panel: P, name: str, title: str, address: str) -> P:
    """Let the values of a field lead to a page of this Grafana."""
    to = [board.DashboardLink(title).url(address).build()]
    return panel.override_by_name(name, [model.DynamicConfigValue("links", to)])


def matrix(panel: P, row: str, column: str) -> P:
    """Let a panel show one value for each pair of two labels, a row for each value of the first."""
    return panel.with_transformation(
        model.DataTransformerConfig(
            "groupingToMatrix",
            options={"rowField": row, "columnField": column, "valueField": "Value"},
        )
    )


def coloured(panel: P, colours: Mapping[str, str], *, shades: bool = False) -> P:
    """Give series, or fields, whose names end with a known word its colour.

    Args:
        panel: which.
        colours: by word.
        shades: whether several series end alike; each then gets a shade of its own.
    """
    mode = "shades" if shades else "fixed"
    for word, colour in colours.items():
        value = {"mode": mode, "fixedColor": colour}
        panel.override_by_regexp(
            rf"/(^|[^a-z_]){word}$/", [model.DynamicConfigValue("color", value)]
        )
    return panel


def coloured_by_value(panel: P, scheme: model.FieldColorModeId) -> P:
    """Let a panel's colours go with its values, from its least to its greatest."""
    return panel.color_scheme(board.FieldColor().mode(scheme))


def logarithmic(panel: S) -> S:
    """Let a panel's axes be logarithmic."""
    scale = common.ScaleDistributionConfig().type(shapes.ScaleDistribution.LOG).log(10)
    return panel.scale_distribution(scale)


def thresholds(*steps: tuple[float | None, str]) -> board.ThresholdsConfig:
    """Return thresholds: from which value on which colour; the first begins at None."""
    made = [model.Threshold(value, colour) for value, colour in steps]
    return board.ThresholdsConfig().mode(model.ThresholdsMode.ABSOLUTE).steps(made)
