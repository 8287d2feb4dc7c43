"""Dashboards from their declarations, `dashboards/boards/*.yml`, and the questions that they put.

A panel is declared by its kind and title (see `dashboards.panels.KINDS`), a description, a unit,
its size in columns and rows of the grid, and its query: `over_time` and `at_once` have PromQL by
legend, `rows` a table, `sql` a file of `dashboards/sql`, `labels` and `columns` those of figures.
Every other key is one of `CHANGES`, or a method of the SDK's panel.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Self

import yaml
from grafana_foundation_sdk.builders import common, prometheus
from grafana_foundation_sdk.builders import dashboard as board
from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.variants import Dataquery
from grafana_foundation_sdk.models import common as shapes
from grafana_foundation_sdk.models import dashboard as model
from grafana_foundation_sdk.models.dashboard import DataSourceRef
from grafana_foundation_sdk.models.prometheus import PromQueryFormat, QueryEditorMode

from dashboards.panels import KINDS, legend, logarithmic

POSTGRES_PLUGIN = "grafana-postgresql-datasource"

PROMETHEUS = DataSourceRef(type_val="prometheus", uid="${prometheus}")
POSTGRES = DataSourceRef(type_val=POSTGRES_PLUGIN, uid="${postgres}")
"""The variables of these names choose the data source."""

SQL = Path(__file__).parent / "sql"
ALL = model.VariableOption(selected=True, text=["All"], value=["$__all"])


def over_time(expression: str, legend: str) -> prometheus.Dataquery:
    """Return a question for values over the dashboard's time range.

    Args:
        expression: in PromQL.
        legend: how series are named, with labels in double braces.
    """
    return _asked(expression).range().format(PromQueryFormat.TIME_SERIES).legend_format(legend)


def at_once(expression: str, legend: str) -> prometheus.Dataquery:
    """Return a question for the values at the end of the time range."""
    return _asked(expression).instant().format(PromQueryFormat.TIME_SERIES).legend_format(legend)


def rows(expression: str) -> prometheus.Dataquery:
    """Return a question for a table at the end of the time range: a row a series."""
    return _asked(expression).instant().format(PromQueryFormat.TABLE)


def _asked(expression: str) -> prometheus.Dataquery:
    query = prometheus.Dataquery().expr(" ".join(expression.split()))
    return query.datasource(PROMETHEUS).editor_mode(QueryEditorMode.CODE)


class Sql(Dataquery, Builder[Dataquery]):
    """A question to PostgreSQL for a table, which the SDK has no model of.

    Args:
        name: of a file in `dashboards/sql`, without `.sql`.
    """

    def __init__(self, name: str) -> None:
        self._text = sql_text(name)

    def ref_id(self, ref_id: str) -> Self:
        """Name the question within its panel."""
        self._ref_id = ref_id
        return self

    def build(self) -> Self:
        """Return the question."""
        return self

    def to_json(self) -> dict[str, Any]:
        """Return the query of Grafana's data source for PostgreSQL."""
        return {
            "refId": self._ref_id,
            "datasource": POSTGRES,
            "editorMode": "code",
            "format": "table",
            "rawQuery": True,
            "rawSql": self._text,
        }


def sql_text(name: str) -> str:
    """Return the text of a file in `dashboards/sql`."""
    return (SQL / f"{name}.sql").read_text().strip()


def variable(declared: str | Mapping[str, Any]) -> Builder[model.VariableModel]:
    """Return the variables of a dashboard.

    Args:
        declared: `prometheus` or `postgres`, the data sources; or a name with a title: `label` and
            `one_label`, any number of values or one of a label of the series `series`; `records`,
            the rows of the query `choose_` of that name, of which `one` or any number is chosen.
    """
    if declared == "prometheus":
        return board.DatasourceVariable("prometheus").label("Prometheus").type("prometheus")
    if isinstance(declared, str):
        return board.DatasourceVariable("postgres").label("Records").type(POSTGRES_PLUGIN)
    kind, name = next(iter(declared.items()))
    result = board.QueryVariable(name).label(declared["title"])
    result.refresh(model.VariableRefresh.ON_TIME_RANGE_CHANGED)
    if kind != "one_label" and "one" not in declared:
        result.sort(model.VariableSort.ALPHABETICAL_ASC).multi(True).include_all(True).current(ALL)
    if kind == "records":
        return result.datasource(POSTGRES).query(sql_text(f"choose_{name}"))
    result.datasource(PROMETHEUS).query(f"label_values({declared['series']}, {name})")
    if kind == "one_label":
        return result.sort(model.VariableSort.ALPHABETICAL_DESC)
    return result.all_value(".*")


FOLDER = Path(__file__).parent
TAG = "stichwerk"
BOARDS = ("benchmarks", "compiler", "queue", "job")
"""The one to begin with first."""

Declaration = Mapping[str, Any]
PLACEHOLDER = re.compile(r"<(\w+)(?:\(([^<>]*)\))?>")
DATE_WIDTH = 165
"""Pixels that a time takes in tables."""
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


def files() -> dict[str, str]:
    """Return the text of each dashboard by its file's name, as the JSON that Grafana loads."""
    boards = [_dashboard(_yaml(f"boards/{name}")) for name in BOARDS]
    return {
        f"{each.uid}.json": json.dumps(
            each, cls=JSONEncoder, indent=2, ensure_ascii=False, sort_keys=True
        )
        + "\n"
        for each in boards
    }


def expanded(text: str) -> str:
    """Return a text with the words of `dashboards/words.yml` in place of their names."""
    while True:
        after = PLACEHOLDER.sub(_word, text)
        if after == text:
            return " ".join(text.split())
        text = after


def _word(match: re.Match[str]) -> str:
    parts = match[2].split("|") if match[2] else []
    word = _yaml("words")[match[1]]
    return re.sub(r"\$(\d)", lambda n: "".join(parts[int(n[1]) - 1 : int(n[1])]), word)


@cache
def _yaml(name: str) -> Any:
    return yaml.safe_load((FOLDER / f"{name}.yml").read_text())


def _dashboard(declared: Declaration) -> model.Dashboard:
    """Return a dashboard; the SDK puts panels from left to right, in as many rows as needed."""
    link = board.DashboardLink("Stichwerk").type(model.DashboardLinkType.DASHBOARDS).tags([TAG])
    builder = board.Dashboard(declared["title"]).uid(declared["uid"])
    builder.description(declared["description"]).tags([TAG]).editable()
    builder.time(declared["since"], "now").refresh(declared["refresh"]).timezone("browser")
    builder.tooltip(model.DashboardCursorSync.CROSSHAIR)
    builder.variables([variable(name) for name in declared["variables"]])
    builder.link(link.include_vars(True).keep_time(True))
    numbers = count(1)
    for section in declared["sections"]:
        builder.with_row(board.Row(section["title"]).id(next(numbers)))
        for panel in section["panels"]:
            builder.with_panel(_panel(panel).id(next(numbers)))
    return builder.build()


def _panel(declared: Declaration) -> Any:
    left = dict(declared)
    kind = next(name for name in left if name in KINDS)
    panel = KINDS[kind]()
    if kind in ("figure", "gauges"):
        panel.thresholds(_thresholds(["plain"]))
    panel.title(left.pop(kind)).description(left.pop("description"))
    panel.unit(left.pop("unit", "none")).datasource(POSTGRES if "sql" in left else PROMETHEUS)
    for ref_id, query in zip(ascii_uppercase, _queries(left), strict=False):
        panel.with_target(query.ref_id(ref_id))
    if kind == "figures":
        _tabulate(panel, expanded(left.pop("labels")).split(", "), left.pop("columns"))
    for name, value in left.items():
        if name in CHANGES:
            CHANGES[name](panel, value)
        else:
            getattr(panel, name)(expanded(value) if isinstance(value, str) else value)
    return panel


def _queries(left: dict[str, Any]) -> Iterator[Any]:
    for ask, kind in (("over_time", over_time), ("at_once", at_once)):
        for name, expression in left.pop(ask, {}).items():
            yield kind(expanded(expression), name)
    if "rows" in left:
        yield rows(expanded(left.pop("rows")))
    if "sql" in left:
        yield Sql(left.pop("sql"))
    for column in left.get("columns", {}).values():
        yield rows(expanded(_column(column)["expr"]))


def _column(declared: str | Declaration) -> Declaration:
    return {"expr": declared} if isinstance(declared, str) else declared


def _tabulate(panel: Any, labels: Sequence[str], columns: Declaration) -> None:
    """Merge the series of all columns by their labels, in their order."""
    fields = [f"Value #{ref}" for ref in ascii_uppercase[: len(columns)]]
    order = {name: place for place, name in enumerate([*labels, *fields])}
    _transform(panel, {"merge": {}, "organize": {
        "excludeByName": {"Time": True},
        "indexByName": order,
        "renameByName": dict(zip(fields, columns, strict=True)),
    }})  # fmt: skip
    for name, declared in columns.items():
        column = _column(declared)
        unit = column.get("unit", "none")
        # Of other columns the heading decides, and the width of a figure.
        room = DATE_WIDTH if unit == "dateTimeAsIso" else max(65, 7 * len(name) + 24)
        values = {"unit": unit, "custom.width": room}
        if "decimals" in column:
            values["decimals"] = column["decimals"]
        if "steps" in column:
            values["thresholds"] = _thresholds(column["steps"]).build()
            values["custom.cellOptions"] = shapes.TableColorTextCellOptions()
        _override(panel, name, values)
    _each("custom.width")(panel, {label: LABEL_WIDTHS[label] for label in labels})


def _thresholds(steps: Sequence[Any]) -> board.ThresholdsConfig:
    """Return thresholds from a colour, and a value and a colour each from there on."""
    pairs = zip((None, *steps[1::2]), steps[::2], strict=True)
    levels = [model.Threshold(value, _colour(name)) for value, name in pairs]
    return board.ThresholdsConfig().mode(model.ThresholdsMode.ABSOLUTE).steps(levels)


def _colour(name: str) -> str:
    return str(_yaml("colours")["names"][name])


def _override(panel: Any, name: str, values: Mapping[str, Any]) -> None:
    override = panel.override_by_regexp if name.startswith("/") else panel.override_by_name
    override(name, [model.DynamicConfigValue(key, value) for key, value in values.items()])


def _each(key: str) -> Callable[[Any, Declaration], None]:
    """Return the override of fields with a value of their own."""

    def change(panel: Any, by_name: Declaration) -> None:
        for name, value in by_name.items():
            _override(panel, name, {key: value})

    return change


def _coloured(mode: str) -> Callable[[Any, str | Declaration], None]:
    """Return the override of colours for series, or fields, whose names end with a known word."""

    def change(panel: Any, colours: str | Declaration) -> None:
        named = _yaml("colours")[colours] if isinstance(colours, str) else colours
        for word, name in named.items():
            values: dict[str, Any] = {"color": {"mode": mode, "fixedColor": _colour(name)}}
            if colours == "states" and "_" in word:
                values["displayName"] = word.replace("_", " ")
            _override(panel, rf"/(^|[^a-z_]){word}$/", values)

    return change


def _transform(panel: Any, by_id: Declaration) -> None:
    for name, options in by_id.items():
        panel.with_transformation(model.DataTransformerConfig(name, options=options))


def _matrix(panel: Any, labels: Sequence[str]) -> None:
    """Show one value for each pair of two labels, a row for each value of the first."""
    row, column = labels
    options = {"rowField": row, "columnField": column, "valueField": "Value"}
    _transform(panel, {"groupingToMatrix": options})


def _fields(panel: Any, by_name: Declaration) -> None:
    """Give fields any values; `STATES` are the words and colours of the states of jobs."""
    states = {
        state: model.ValueMappingResult(state.replace("_", " "), _colour(name), index=place)
        for place, (state, name) in enumerate(_yaml("colours")["states"].items())
    }
    by_name_ = {"STATES": [model.ValueMap(options=states)]}
    for name, values in by_name.items():
        chosen = {k: by_name_.get(v, v) if isinstance(v, str) else v for k, v in values.items()}
        _override(panel, name, chosen)


def _links(panel: Any, by_name: Declaration) -> None:
    for name, (title, address) in by_name.items():
        _override(panel, name, {"links": [board.DashboardLink(title).url(address).build()]})


def _mappings(panel: Any, by_value: Declaration) -> None:
    texts = {
        value: model.ValueMappingResult(text=text, color=_colour(name))
        for value, (text, name) in by_value.items()
    }
    panel.mappings([model.ValueMap(options=texts)])


def _legend(panel: Any, place: str) -> None:
    hidden = common.VizLegendOptions().show_legend(False)
    panel.legend(hidden if place == "none" else legend(beside=True))


def _background(panel: Any, _: bool) -> None:
    mode = shapes.TableCellBackgroundDisplayMode.BASIC
    panel.cell_options(shapes.TableColoredBackgroundCellOptions(mode=mode))


CHANGES: Mapping[str, Callable[[Any, Any], object]] = {
    "background": _background,
    "coloured": _coloured("fixed"),
    "coloured_by_value": lambda panel, scheme: panel.color_scheme(
        board.FieldColor().mode(model.FieldColorModeId(scheme))
    ),
    "data_link": lambda panel, to: panel.data_links([board.DashboardLink(to[0]).url(to[1])]),
    "field_decimals": _each("decimals"),
    "fields": _fields,
    "horizontal": lambda panel, _: panel.orientation(shapes.VizOrientation.HORIZONTAL),
    "legend": _legend,
    "links": _links,
    "logarithmic": lambda panel, _: logarithmic(panel),
    "mappings": _mappings,
    "matrix": _matrix,
    "reduced_fields": lambda panel, fields: panel.reduce_options(
        common.ReduceDataOptions().calcs(["lastNotNull"]).fields(fields)
    ),
    "shaded": _coloured("shades"),
    "size": lambda panel, size: panel.span(size[0]).height(size[1]),
    "sorted_by": lambda panel, field: _transform(panel, {"sortBy": {"sort": [{"field": field}]}}),
    "sparkline": lambda panel, _: panel.graph_mode(shapes.BigValueGraphMode.NONE),
    "thresholds": lambda panel, steps: panel.thresholds(_thresholds(steps)),
    "transformations": _transform,
    "units": _each("unit"),
    "value_size": lambda panel, size: panel.text(common.VizTextDisplayOptions().value_size(size)),
    "values": lambda panel, _: panel.show_value(shapes.VisibilityMode.NEVER),
    "widths": _each("custom.width"),
}
"""Actions of a panel's keys. Those for a field take its value by the field's name."""
