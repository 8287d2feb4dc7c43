"""The picture of trainings on backends: what the weights win, and what was measured of it."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from games.trick_taking.rules.steps import seat_name
from games.trick_taking.training.on_backends.learning import EXACT
from games.trick_taking.training.picture import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GREY = "#6b6b6b"
MARKERS = "osv^D"


def picture(document: Mapping[str, Any], figure: "Figure") -> None:
    """Draw P(win) of the weights step by step, computed and measured, as JSON has it."""
    figure.set_size_inches(8.6, 3.7)
    won, seen = figure.subplots(1, 2, sharey=True)
    for place, one in enumerate(document["backends"]):
        steps = [look["step"] for look in one["training"]]
        colour, label = COLOURS[place % len(COLOURS)], f"gradients from {one['backend']}"
        if one["backend"] == EXACT:
            won.plot(
                steps,
                [look["p_win"] for look in one["training"]],
                color=colour,
                lw=5,
                alpha=0.3,
                label="exact gradients",
            )
            continue
        mark = MARKERS[place % len(MARKERS)]
        won.plot(
            steps,
            [look["p_win"] for look in one["training"]],
            f"{mark}-",
            ms=5,
            mfc="none",
            color=colour,
            label=label,
        )
        found = [look["measured"] for look in one["training"]]
        ends = [(look["low"], look["high"]) for look in one["training"]]
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
            label=f"measured on {one['backend']}, {one['two_qubit_gates']} CZ",
        )
        seen.plot(
            steps, [look["p_win"] for look in one["training"]], color=colour, lw=0.8, alpha=0.6
        )
    equal, best = document["p_win_equal_weights"], document["p_win_best_response"]
    for axes in (won, seen):
        axes.axhline(float(Fraction(equal)), color=GREY, linestyle=":")
        axes.axhline(float(Fraction(best)), color=GREY, linestyle="--")
        axes.set_xlabel("step")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.legend(frameon=False, fontsize=8)
    won.set_ylabel("P(win) of the party")
    won.set_title("of the weights, exact", size=9)
    seen.set_title("lines exact, points measured, legal shots", size=9)
    seat = seat_name(document["seat"])
    figure.suptitle(
        f"{document['game']}, {seat} learns in {document['backends'][0]['angles']} angles, "
        f"{document['shots']:,} shots a circuit; dotted: equal weights, {equal}; "
        f"dashed: best response, {best}",
        size=9,
    )
