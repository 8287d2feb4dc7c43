"""Places of panels on a dashboard, and the parts that all dashboards share."""

from collections.abc import Sequence

from attrs import frozen
from grafana_foundation_sdk.builders import dashboard as board
from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.models import dashboard as model

TAG = "stichwerk"
COLUMNS = 24
"""Width of Grafana's grid."""


@frozen
class Tile:
    """A panel and its size.

    Args:
        panel: of the SDK; its place is set by `Section`.
        width: in columns of the grid, of 24.
        height: in rows of the grid, of some 30 pixels each.
    """

    panel: Builder[model.Panel]
    width: int
    height: int


@frozen
class Section:
    """Panels below one heading, from left to right."""

    title: str
    tiles: Sequence[Tile]


def dashboard(
    uid: str,
    title: str,
    description: str,
    *,
    since: str,
    refresh: str,
    variables: Sequence[Builder[model.VariableModel]],
    sections: Sequence[Section],
) -> model.Dashboard:
    """Return a dashboard.

    Args:
        uid: of links and bookmarks; it never changes.
        title: its name.
        description: its purpose.
        since: begin of the time range, such as `now-30d`.
        refresh: interval of queries.
        variables: choices of users, in their order.
        sections: from top to bottom.
    """
    builder = (
        board.Dashboard(title)
        .uid(uid)
        .description(description)
        .tags([TAG])
        .editable()
        .time(since, "now")
        .refresh(refresh)
        .timezone("browser")
        .tooltip(model.DashboardCursorSync.CROSSHAIR)
        .variables(list(variables))
        .link(_others())
    )
    number, top = 1, 0
    for section in sections:
        heading = model.GridPos(h=1, w=COLUMNS, x=0, y=top)
        builder.with_row(board.Row(section.title).id(number).grid_pos(heading))
        number, top = number + 1, top + 1
        for placed, position in _placed(section.tiles, top):
            panel = placed.panel.build()
            panel.id_val, panel.grid_pos = number, position
            builder.with_panel(_Built(panel))
            number, below = number + 1, position.y + position.h
        top = below
    return builder.build()


class _Built(Builder[model.Panel]):
    """A panel that needs nothing more."""

    def __init__(self, panel: model.Panel) -> None:
        self._panel = panel

    def build(self) -> model.Panel:
        return self._panel


def _placed(tiles: Sequence[Tile], top: int) -> list[tuple[Tile, model.GridPos]]:
    """Return tiles with their places: from left to right, in as many rows as needed."""
    placed: list[tuple[Tile, model.GridPos]] = []
    left, height = 0, 0
    for tile in tiles:
        if left + tile.width > COLUMNS:
            left, top, height = 0, top + height, 0
        placed.append((tile, model.GridPos(h=tile.height, w=tile.width, x=left, y=top)))
        left, height = left + tile.width, max(height, tile.height)
    return placed


def _others() -> board.DashboardLink:
    return (
        board.DashboardLink("Stichwerk")
        .type(model.DashboardLinkType.DASHBOARDS)
        .tags([TAG])
        .include_vars(True)
        .keep_time(True)
    )
