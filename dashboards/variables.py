"""What users choose on a dashboard."""

from grafana_foundation_sdk.builders import dashboard as board
from grafana_foundation_sdk.models import dashboard as model

from dashboards.queries import POSTGRES, POSTGRES_PLUGIN, PROMETHEUS, sql_text

ALL = model.VariableOption(selected=True, text=["All"], value=["$__all"])


def prometheus() -> board.DatasourceVariable:
    """Return the choice of a Prometheus."""
    return board.DatasourceVariable("prometheus").label("Prometheus").type("prometheus")


def postgres() -> board.DatasourceVariable:
    """Return the choice of the database that holds the records."""
    return board.DatasourceVariable("postgres").label("Records").type(POSTGRES_PLUGIN)


def label(name: str, title: str, series: str) -> board.QueryVariable:
    """Return the choice of any number of values of a label.

    Args:
        name: of the label, and of the variable.
        title: what users see.
        series: whose label it is, with a selector.
    """
    return (
        _several(name, title)
        .datasource(PROMETHEUS)
        .query(f"label_values({series}, {name})")
        .all_value(".*")
    )


def one_label(name: str, title: str, series: str) -> board.QueryVariable:
    """Return the choice of one value of a label; see `label`."""
    return (
        _one(name, title)
        .datasource(PROMETHEUS)
        .query(f"label_values({series}, {name})")
        .sort(model.VariableSort.ALPHABETICAL_DESC)
    )


def records(name: str, title: str, *, one: bool = False) -> board.QueryVariable:
    """Return the choice of what a query of the records returns.

    Args:
        name: of the variable, and of a file in `dashboards/sql`, which begins with `choose_`.
        title: what users see.
        one: whether one is to be chosen, not any number.
    """
    made = _one(name, title) if one else _several(name, title)
    return made.datasource(POSTGRES).query(sql_text(f"choose_{name}"))


def _one(name: str, title: str) -> board.QueryVariable:
    refresh = model.VariableRefresh.ON_TIME_RANGE_CHANGED
    return board.QueryVariable(name).label(title).refresh(refresh)


def _several(name: str, title: str) -> board.QueryVariable:
    return (
        _one(name, title)
        .sort(model.VariableSort.ALPHABETICAL_ASC)
        .multi(True)
        .include_all(True)
        .current(ALL)
    )
