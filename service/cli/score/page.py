"""A page of scores: one HTML file with tables and drawings, which asks nobody for anything."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from compiler.words.machine_names import calibration_digest, machine_of
from service.cli.score.changes import ScoreChange, score_changes
from service.report.drawing import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, VERMILION, picture
from service.report.markup import Html, Number, element, table
from workers.score.suite import suite_named

COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, INK)
MARKERS = ("o", "s", "^", "D", "v", "P")
"""One a machine; with more of them than these, the next ones begin again."""

STYLE = """
:root { color-scheme: light dark; --ink: light-dark(#1c1d21, #e9eaee);
  --soft: light-dark(#5b5f69, #a4a9b5); --paper: light-dark(#fff, #15171c);
  --line: light-dark(#d9dce2, #343943); --band: light-dark(#eef0f4, #232730); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem 1.25rem 3rem; color: var(--ink);
  background: var(--paper); font: 15px/1.45 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
p, caption, figcaption { color: var(--soft); max-width: 60rem; }
caption { text-align: left; padding: .3rem 0; }
.scroll { overflow-x: auto; } .scroll td, .scroll th { white-space: nowrap; }
table { border-collapse: collapse; font-size: .9rem; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left;
  vertical-align: top; }
thead th { background: var(--band); white-space: nowrap; }
tbody th { font-weight: 600; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
figure { margin: 1rem 0; } figure svg { display: block; width: 100%; max-width: 44rem;
  background: #fff; border: 1px solid var(--line); border-radius: .5rem; }
code { font-size: .85em; }
"""


def scores_html(scores: Sequence[dict[str, Any]]) -> str:
    """Return the page of results, those of each suite together.

    Args:
        scores: documents of scores, sorted by suite and machine.
    """
    sections = [
        _section(suite, list(of)) for suite, of in groupby(scores, key=lambda one: one["suite"])
    ]
    body = element(
        "body",
        element(
            "main",
            element("h1", "Stichwerk scores"),
            element(
                "p",
                "How well machines play a suite of quantum games and circuits that never changes "
                "under its name: 1 is the exact distribution of outcomes, 0 uniform noise. "
                "Intervals hold with 95 %. A score is of the machine and of what compiled for it.",
            ),
            *sections,
        ),
    )
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    head = element(
        "head",
        Html('<meta charset="utf-8">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", "Stichwerk scores"),
        element("style", Html(STYLE)),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _section(suite: str, scores: Sequence[dict[str, Any]]) -> Html:
    pinned = suite_named(suite)
    machines = list(dict.fromkeys(machine_of(one["backend"]) for one in scores))
    changes = {one.machine: one for one in score_changes(scores)}
    rows = [
        (
            machine_of(one["backend"]),
            Number(f"{one['score']:.3f}") if one["complete"] else "not complete",
            Number(f"{one['low']:.3f} to {one['high']:.3f}"),
            *(Number(f"{value:.3f}") for value in one["families"].values()),
            Number(", ".join(f"{n} at {least}" for least, n in one["game_volume"].items())),
            Number(one["at"][:16].replace("T", " ")),
            _run(one),
            _version(one),
        )
        for one in scores
    ]
    columns = (
        "machine", "score", "95 %", *scores[0]["families"], "game volume", "at", "run", "version",
    )  # fmt: skip
    newest = {machine_of(one["backend"]): one for one in scores}
    return element(
        "section",
        element("h2", f"Suite {suite}"),
        element("p", f"{pinned.title}. Digest {pinned.digest[:16]}…, {pinned.shots:,} shots."),
        *(element("p", element("strong", f"{one.told}.")) for one in changes.values()),
        table(f"Scores of suite {suite}", columns, rows),
        _over_time(suite, machines, scores),
        _by_part(suite, machines, newest),
        table(
            f"Parts of suite {suite}, the newest run of each machine",
            ("part", *machines),
            [
                (part.name, *(_cell(newest[name], changes.get(name), place) for name in machines))
                for place, part in enumerate(pinned.parts)
            ],
        ),
    )


def _version(one: dict[str, Any]) -> str:
    revision = one["revision"] or "unknown"
    changed = "+" if revision.endswith("+changes") else ""
    return f"{one['versions'].get('stichwerk', '?')} ({revision[:8]}{changed})"


def _run(one: dict[str, Any]) -> str:
    digest = calibration_digest(one["backend"])
    return f"{one['run']} (calibration {digest})" if digest else one["run"]


def _cell(newest: dict[str, Any], change: ScoreChange | None, place: int) -> object:
    """Return a part's newest score, and what it was if the run before can be compared."""
    part = newest["parts"][place]
    if part["outcome"] != "played":
        return part["outcome"]
    before = ""
    if change is not None and change.new is newest:
        old = change.old["parts"][place]
        before = f"{old['score']:.3f} → " if old["outcome"] == "played" else ""
    return Number(f"{before}{part['score']:.3f} ({part['two_qubit_gates']} gates)")


def _over_time(suite: str, machines: Sequence[str], scores: Sequence[dict[str, Any]]) -> Html:
    def draw(figure: Figure) -> None:
        axes = figure.add_axes((0.12, 0.33, 0.85, 0.64))
        for place, name in enumerate(machines):
            own = [one for one in scores if machine_of(one["backend"]) == name and one["complete"]]
            if own:
                _errorbar(axes, place, [_at(one) for one in own], own, name, line="-")
        axes.set_ylim(0, 1.03)
        axes.set_ylabel("score")
        axes.tick_params(axis="x", labelrotation=30, labelsize=7)
        _legend(figure, axes, len(machines))

    told = f"Scores of suite {suite} over time, a colour a machine."
    return picture(draw, 250, told, told, f"{suite}-time")


def _by_part(suite: str, machines: Sequence[str], newest: dict[str, dict[str, Any]]) -> Html:
    parts = [part.name for part in suite_named(suite).parts]

    def draw(figure: Figure) -> None:
        axes = figure.add_axes((0.3, 0.27, 0.66, 0.71))
        for place, name in enumerate(machines):
            shift = 0.6 * ((place + 0.5) / len(machines) - 0.5)
            drawn = newest[name]["parts"]
            axes.plot(
                [part["score"] for part in drawn],
                [row + shift for row in range(len(drawn))],
                linestyle="none",
                marker=MARKERS[place % len(MARKERS)],
                color=COLOURS[place % len(COLOURS)],
                markersize=4,
                label=name,
            )
        axes.set_yticks(range(len(parts)), parts, fontsize=8)
        axes.set_ylim(len(parts) - 0.4, -0.6)
        axes.set_xlim(-0.03, 1.03)
        axes.set_xlabel("score of the part; 0 also if it was not played")
        axes.grid(axis="y", color=GREY, alpha=0.25)
        _legend(figure, axes, len(machines))

    told = f"Parts of suite {suite}, the newest run of each machine."
    return picture(draw, 330, told, told, f"{suite}-parts")


def _errorbar(
    axes: Axes,
    place: int,
    at: Sequence[datetime],
    own: Sequence[dict[str, Any]],
    name: str,
    *,
    line: str,
) -> None:
    axes.errorbar(
        at,  # type: ignore[arg-type]
        [one["score"] for one in own],
        yerr=[
            [one["score"] - one["low"] for one in own],
            [one["high"] - one["score"] for one in own],
        ],
        linestyle=line,
        linewidth=1,
        marker=MARKERS[place % len(MARKERS)],
        markersize=4,
        capsize=2,
        color=COLOURS[place % len(COLOURS)],
        label=name,
    )


def _legend(figure: Figure, axes: Axes, machines: int) -> None:
    figure.legend(
        *axes.get_legend_handles_labels(),
        loc="lower center",
        ncols=min(3, machines),
        frameon=False,
        fontsize=7,
    )


def _at(one: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(one["at"])
