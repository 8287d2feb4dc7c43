"""Questions that panels and variables put to Prometheus and PostgreSQL."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from grafana_foundation_sdk.builders import dashboard as board
from grafana_foundation_sdk.builders import prometheus
from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.cog.variants import Dataquery
from grafana_foundation_sdk.models import dashboard as model
from grafana_foundation_sdk.models.dashboard import DataSourceRef
from grafana_foundation_sdk.models.prometheus import PromQueryFormat, QueryEditorMode

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
