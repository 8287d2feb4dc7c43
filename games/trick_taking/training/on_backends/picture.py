"""The picture of trainings on backends: what the weights win, and what was measured of it."""

from typing import TYPE_CHECKING

from games.trick_taking.rules.steps import seat_name
from games.trick_taking.training.on_backends.answer import Measured
from games.trick_taking.training.on_backends.learning import EXACT
from games.trick_taking.training.picture import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GREY = "#6b6b6b"
MARKERS = "osv^D"


def picture(measured: Measured, figure: "Figure") -> None:
    """Draw P(win) of the weights step by step, computed and measured."""
    figure.set_size_inches(8.6, 3.7)
    won, seen = figure.subplots(1, 2, sharey=True)
    training = measured.training
    for place, one in enumerate(measured.learned):
        steps = [look.step for look in one.looks]
        colour, label = COLOURS[place % len(COLOURS)], f"gradients from {one.backend}"
        if one.backend == EXACT:
            won.plot(
                steps,
                [look.won for look in one.looks],
                color=colour,
                lw=5,
                alpha=0.3,
                label="exact gradients",
            )
            continue
        mark = MARKERS[place % len(MARKERS)]
        won.plot(
            steps,
            [look.won for look in one.looks],
            f"{mark}-",
            ms=5,
            mfc="none",
            color=colour,
            label=label,
        )
        found = [look.measured for look in one.looks]
        ends = [one.interval(look) for look in one.looks]
        below = [chance - low for chance, (low, _) in zip(found, ends, strict=True)]
        above = [high - chance for chance, (_, high) in zip(found, ends, strict=True)]
        seen.errorbar(
            steps,
            found,
            (below, above),
            fmt=mark,
            ms=4,
            color=colour,
            capsize=2,
            label=f"measured on {one.backend}, {one.two_qubit_gates} CZ",
        )
        seen.plot(steps, [look.won for look in one.looks], color=colour, lw=0.8, alpha=0.6)
    for axes in (won, seen):
        axes.axhline(float(training.equal), color=GREY, linestyle=":")
        axes.axhline(float(training.best), color=GREY, linestyle="--")
        axes.set_xlabel("step")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.legend(frameon=False, fontsize=8)
    won.set_ylabel("P(win) of the party")
    won.set_title("of the weights, exact", size=9)
    seen.set_title("lines exact, points measured, legal shots", size=9)
    seat = seat_name(measured.seat)
    figure.suptitle(
        f"{training.tree.game.name}, {seat} learns in {measured.learned[0].angles} angles, "
        f"{measured.shots:,} shots a circuit; dotted: equal weights, {training.equal}; "
        f"dashed: best response, {training.best}",
        size=9,
    )
