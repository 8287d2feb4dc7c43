"""The picture of an advice: three chances and their intervals for each card."""

from typing import TYPE_CHECKING

from games.pictures import BLUE, GREY, ORANGE, PURPLE, draw_intervals, plain_axes
from games.trick_taking.advice.adviser import Advice
from games.trick_taking.advice.measuring import Measured
from games.trick_taking.advice.panels import unit_of
from games.trick_taking.advice.shares import NOT_ENOUGH, Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def picture(advice: Advice, measured: Measured | None, figure: "Figure") -> None:
    """Draw a row for each card, the best by open cards on top; points and values beside it."""
    rows, open_play = advice.by_open_cards, advice.open_play
    wins = advice.game.threshold
    panels = [
        (values, marked, label)
        for values, marked, label in (
            (open_play.points, wins, f"{unit_of(advice.game)}; dashed: {wins} win"),
            (open_play.values, 0, "game value for the declarer"),
        )
        if values
    ]
    figure.set_size_inches(6.4 + 2.2 * len(panels), 1.7 + 0.42 * len(rows))
    chances, *beside = figure.subplots(
        1, 1 + len(panels), sharey=True, squeeze=False, width_ratios=(3, *[1.4] * len(panels))
    )[0]
    exact = advice.superposed.shares is None
    deals = open_play.shares.deals
    series: list[tuple[str, str, str, list[Estimate]]] = [
        (
            f"open cards, {deals:,} deal{'' if deals == 1 else 's'}",
            ORANGE,
            "s",
            [open_play.shares.estimate(place) for place in rows],
        ),
        (
            f"superposed, {'exact' if exact else f'{advice.superposed.playouts:,} games'}",
            BLUE,
            "o",
            [advice.superposed.chances[place] for place in rows],
        ),
    ]
    if measured is not None and measured.chances:
        measured_chances = [measured.chances[advice.cards[place]] for place in rows]
        estimator = measured.estimator
        method = f"{estimator} estimation" if estimator else f"{measured.shots:,} shots"
        series.append((f"{measured.backend}, {method}", PURPLE, "D", measured_chances))
    for number, (label, colour, marker, estimates) in enumerate(series):
        places = [row + 0.2 * (number - (len(series) - 1) / 2) for row in range(len(rows))]
        draw_intervals(chances, places, estimates, fmt=marker, color=colour, label=label)
    names = [str(advice.game.deck[advice.cards[place]]) for place in rows]
    chances.set_yticks(range(len(rows)), names)
    chances.set_ylim(len(rows) - 0.5, -0.5)
    chances.set_xlim(-0.02, 1.02)
    side = "the party wins" if advice.for_party else "the party does not win"
    chances.set_xlabel(f"share that {side}, 95 % intervals")
    for axes, (told, marked, label) in zip(beside, panels, strict=True):
        draw_intervals(axes, range(len(rows)), [told[place] for place in rows])
        axes.axvline(marked, color=GREY, linestyle="--", linewidth=1)
        axes.set_xlabel(label)
    plain_axes(chances, *beside, along="x")
    advised = f"play {names[0]}" if advice.supported else NOT_ENOUGH.lower()
    figure.suptitle(f"{advice.game.name}: {advised} ({advice.game.rules.title})", fontsize=10)
    handles, labels = chances.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=8)
