"""The picture of trainings on backends: what the weights win, and what was measured of it."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from games.trick_taking.rules.steps import seat_name
from games.trick_taking.training.on_backends.looks import EXACT
from games.trick_taking.training.picture import COLOURS
from games.trick_taking.training.result import EQUILIBRIUM

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GREY = "#6b6b6b"
MARKERS = "osv^D"
LEAST_GAIN = 1e-6
"""Less is not drawn."""


def picture(document: Mapping[str, Any], figure: "Figure") -> None:
    """Draw P(win) of the weights step by step, computed and measured, as JSON has it.

    Of an equilibrium also what one seat alone could still gain, whichever could gain most.
    """
    from matplotlib.ticker import MaxNLocator

    both = document["objective"] == EQUILIBRIUM
    figure.set_size_inches(12.4 if both else 8.6, 3.7)
    if both:
        won, left, seen = figure.subplots(1, 3)
        seen.sharey(won)
    else:
        won, seen = figure.subplots(1, 2, sharey=True)
    for place, one in enumerate(document["backends"]):
        steps = [look["step"] for look in one["training"]]
        exact = one["backend"] == EXACT
        # Wide and pale below the lines of backends.
        style: dict[str, Any] = {"lw": 5, "alpha": 0.3} if exact else {"ms": 5, "mfc": "none"}
        style |= {"color": COLOURS[place % len(COLOURS)]}
        style |= {"label": "exact gradients" if exact else f"gradients from {one['backend']}"}
        mark = "-" if exact else f"{MARKERS[place % len(MARKERS)]}-"
        won.plot(steps, [look["p_win"] for look in one["training"]], mark, **style)
        if both:
            gains = [max(LEAST_GAIN, *look["gains"]) for look in one["training"]]
            left.plot(steps, gains, mark, **style)
        if not exact:
            _draw_measured(one, seen, MARKERS[place % len(MARKERS)], style["color"])
    equal, best = document["p_win_equal_weights"], document["p_win_best_response"]
    for axes in (won, seen):
        axes.axhline(float(Fraction(equal)), color=GREY, linestyle=":")
        if not both:
            axes.axhline(float(Fraction(best)), color=GREY, linestyle="--")
    for axes in figure.axes:
        axes.set_xlabel("step")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        # Its ground is white, as it may lie upon the dashed or dotted line.
        axes.legend(framealpha=1, edgecolor="none", fontsize=8)
    won.set_ylabel("P(win) of the party")
    won.set_title("of the weights, exact", size=9)
    seen.set_title("lines exact, points measured, legal shots", size=9)
    if both:
        left.set_yscale("log")
        left.set_title("P(win) that one seat alone could gain, exact", size=9)
    seat = "all seats learn" if both else f"{seat_name(document['seat'])} learns"
    told = "" if both else f"; dashed: best response, {best}"
    figure.suptitle(
        f"{document['game']}, {seat} in {document['backends'][0]['angles']} angles, "
        f"{document['shots']:,} shots a circuit; dotted: equal weights, {equal}{told}",
        size=9,
    )


def _draw_measured(one: Mapping[str, Any], axes: "Axes", mark: str, colour: str) -> None:
    steps = [look["step"] for look in one["training"]]
    found = [look["measured"] for look in one["training"]]
    ends = [(look["low"], look["high"]) for look in one["training"]]
    below = [chance - low for chance, (low, _) in zip(found, ends, strict=True)]
    above = [high - chance for chance, (_, high) in zip(found, ends, strict=True)]
    axes.errorbar(
        steps,
        found,
        (below, above),
        fmt=mark,
        ms=4,
        color=colour,
        capsize=2,
        label=f"measured on {one['backend']}, {one['two_qubit_gates']} two-qubit gates",
    )
    won = [look["p_win"] for look in one["training"]]
    axes.plot(steps, won, color=colour, lw=0.8, alpha=0.6)
