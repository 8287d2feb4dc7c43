"""What a game's run measured, against the exact distribution."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import nan
from typing import Any

from attrs import frozen
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke

from compiler.games import Game
from compiler.scoring import wilson_interval
from service.report.drawing import (
    BLACK,
    BLUE,
    FAINT,
    GREY,
    INK,
    SKY,
    VERMILION,
    WIDTH_PT,
    picture,
)
from service.report.markup import Html

MOST_ROWS = 24
ROW_PT, BOTTOM_PT, TOP_PT, RIGHT_PT, LETTER_PT = 16.0, 34.0, 36.0, 46.0, 5.6


@frozen
class Row:
    """One line of a histogram: an outcome, or several taken together.

    Args:
        label: what the outcome is called.
        shots: how often it was measured.
        exact: its exact probability.
        noise: its probability under uniform noise; None if that is not known.
        kind: `win`, `loss`, `others` or `illegal`.
    """

    label: str
    shots: int
    exact: Fraction
    noise: float | None
    kind: str


def histogram_rows(
    game: Game, counts: Mapping[int | None, int], noise: Mapping[int | None, float] | None
) -> list[Row]:
    """Return the most probable outcomes, all others, and all illegal ones together.

    Args:
        game: names, judges and gives the exact distribution.
        counts: shots by outcome, None for the illegal ones.
        noise: probability by outcome if all bits are uniform; None if that is not known.
    """
    exact = game.exact_distribution()
    ranked = sorted(exact, key=lambda outcome: (-exact[outcome], game.describe(outcome)))

    def row(label: str, outcomes: Sequence[int | None], kind: str) -> Row:
        return Row(
            label,
            sum(counts.get(o, 0) for o in outcomes),
            sum((exact[o] for o in outcomes if o is not None), Fraction(0)),
            None if noise is None else sum(noise.get(o, 0.0) for o in outcomes),
            kind,
        )

    rows = [
        row(game.describe(o), [o], "win" if game.is_win(o) else "loss") for o in ranked[:MOST_ROWS]
    ]
    if rest := ranked[MOST_ROWS:]:
        rows.append(row(f"{len(rest):,} others", rest, "others"))
    return [*rows, row("illegal", [None], "illegal")]


def histogram(rows: Sequence[Row], caption: object, name: str) -> Html:
    """Draw a run against the exact distribution and against uniform noise.

    Args:
        rows: from top to bottom.
        caption: the figure's caption.
        name: its id.
    """
    height = ROW_PT * len(rows) + BOTTOM_PT + TOP_PT
    shots = sum(row.shots for row in rows)
    description = "Measured against exact probability of every outcome: " + "; ".join(
        f"{row.label} {row.shots / shots:.1%} against {float(row.exact):.1%}" for row in rows
    )
    return picture(lambda figure: _draw(figure, rows, height), height, description, caption, name)


def _draw(figure: Figure, rows: Sequence[Row], height: float) -> None:
    left = LETTER_PT * max(len(row.label) for row in rows) + 16
    axes = figure.add_axes(
        (
            left / WIDTH_PT,
            BOTTOM_PT / height,
            (WIDTH_PT - left - RIGHT_PT) / WIDTH_PT,
            1 - (BOTTOM_PT + TOP_PT) / height,
        )
    )
    shots = sum(row.shots for row in rows)
    limit = _limit(rows, shots)
    places = range(len(rows))
    for place, row in zip(places, rows, strict=True):
        _draw_row(axes, place, row, shots, limit)
    exact = [float(row.exact) if row.exact <= limit else nan for row in rows]
    noise = [nan if row.noise is None or row.noise > limit else row.noise for row in rows]
    axes.plot(exact, places, "D", markersize=5.5,
              markerfacecolor="none", markeredgecolor=BLACK, clip_on=False, zorder=4)  # fmt: skip
    halo = withStroke(linewidth=2.5, foreground="white")
    axes.plot(noise, places, "x", markersize=4.5, color=INK,
              clip_on=False, zorder=5, path_effects=[halo])  # fmt: skip
    axes.set_yticks(places, [row.label for row in rows], family="monospace")
    axes.tick_params(axis="y", length=0, pad=8)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, limit)
    axes.locator_params(axis="x", nbins=5)
    axes.xaxis.set_major_formatter(lambda x, _: f"{100 * x:g} %")
    axes.set_xlabel("share of the shots, with 95 % interval")
    axes.grid(axis="x", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    _legend(figure, rows)


def _limit(rows: Sequence[Row], shots: int) -> float:
    """Return where the axis ends: beyond all, unless that would squash the single outcomes."""
    farthest = [max(row.shots / shots, float(row.exact), row.noise or 0.0) for row in rows]
    single = [end for end, row in zip(farthest, rows, strict=True) if row.kind in ("win", "loss")]
    return min(1.06 * max(farthest), 2.5 * max(single))


def _draw_row(axes: Axes, place: int, row: Row, shots: int, limit: float) -> None:
    low, high = wilson_interval(row.shots, shots)
    share = row.shots / shots
    axes.barh(place, share, 0.66, **_fill(row.kind))
    axes.plot([low, high], [place, place], color=INK, linewidth=0.8)
    if share > limit:
        axes.text(limit, place, "»", ha="right", va="center", backgroundcolor="white")
    axes.annotate(
        f"{100 * share:.1f} %",
        (1, place),
        (RIGHT_PT - 2, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        ha="right",
        va="center",
        annotation_clip=False,
    )


def _fill(kind: str) -> dict[str, Any]:
    return {
        "win": {"facecolor": BLUE, "edgecolor": BLUE},
        "loss": {"facecolor": SKY, "edgecolor": SKY},
        "others": {"facecolor": GREY, "edgecolor": GREY},
        "illegal": {"facecolor": "white", "edgecolor": VERMILION, "hatch": "/////"},
    }[kind]


def _legend(figure: Figure, rows: Sequence[Row]) -> None:
    kinds = {row.kind for row in rows}
    labels = {"win": "party wins", "loss": "party loses", "illegal": "illegal"}
    handles: list[Artist] = [
        Patch(label=label, **_fill(kind)) for kind, label in labels.items() if kind in kinds
    ]
    exact = Line2D([], [], linestyle="", marker="D", markersize=5.5, markerfacecolor="none",
                   markeredgecolor=BLACK, label="exact")  # fmt: skip
    noise = Line2D([], [], linestyle="", marker="x", markersize=4.5, color=INK,
                   label="uniform noise")  # fmt: skip
    handles += [exact] if rows[0].noise is None else [exact, noise]
    figure.legend(handles=handles, loc="upper center", ncols=3, frameon=False,
                  handlelength=1.4, columnspacing=1.6, borderaxespad=0.1)  # fmt: skip
