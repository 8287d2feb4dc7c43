"""Two-qubit gates by target and pipeline."""

from collections.abc import Sequence

from attrs import frozen
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from service.report.drawing import (
    BLUE,
    FAINT,
    GREEN,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    WIDTH_PT,
    YELLOW,
    picture,
)
from service.report.markup import Html
from service.report.selection import Entry
from workers.records import Candidate

COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION, YELLOW)
ROW_PT, TITLE_PT, RIGHT_PT, BOTTOM_PT, LETTER_PT = 18.0, 28.0, 52.0, 34.0, 5.4


@frozen(eq=False)
class Bar:
    """All that one pipeline made of a program on one target.

    Args:
        label: the pipeline, with synthesis and encoding where there are several.
        gates: two-qubit gates of every verified candidate, or, if none is verified, of those
            that could be neither verified nor refuted; fewest first.
        exact: whether these candidates are verified.
        chosen: whether one of them won.
        verdicts: what became of all candidates.
    """

    label: str
    gates: Sequence[int]
    exact: bool
    chosen: bool
    verdicts: str


def gate_bars(entries: Sequence[Entry]) -> Html:
    """Draw the two-qubit gates of one program on every target by every pipeline.

    Args:
        entries: of one program.
    """
    groups = _groups(entries)
    rows = sum(len(bars) for bars in groups.values())
    height = TITLE_PT * len(groups) + ROW_PT * rows + BOTTOM_PT
    description = "Two-qubit gates. " + " ".join(
        f"{target}: {'; '.join(map(_spoken, bars))}." for target, bars in groups.items()
    )
    name = f"gates-{entries[0].compilation.source_digest}"
    caption = f"Two-qubit gates of {entries[0].compilation.program} by target and pipeline."
    return picture(lambda figure: _draw(figure, groups, height), height, description, caption, name)


def _groups(entries: Sequence[Entry]) -> dict[str, list[Bar]]:
    candidates = [(e.compilation, c) for e in entries for c in e.compilation.candidates]
    several_encodings = len({compilation.encoding for compilation, _ in candidates}) > 1
    several_syntheses = len({candidate.synthesis for _, candidate in candidates}) > 1
    grouped: dict[str, dict[str, list[Candidate]]] = {}
    for compilation, candidate in candidates:
        words = [candidate.pipeline]
        words += [candidate.synthesis] * several_syntheses
        words += [compilation.encoding] * several_encodings
        bars = grouped.setdefault(compilation.target, {})
        bars.setdefault(" ".join(words), []).append(candidate)
    return {
        target: [_bar(label, bars[label]) for label in sorted(bars)]
        for target, bars in sorted(grouped.items())
    }


def _bar(label: str, candidates: Sequence[Candidate]) -> Bar:
    exact = any(c.verified == "exact" for c in candidates)
    kinds = ("exact",) if exact else ("unverified", "sampled")
    shown = [c for c in candidates if c.verified in kinds]
    return Bar(
        label,
        sorted(c.two_qubit_gates for c in shown if c.two_qubit_gates is not None),
        exact,
        any(c.chosen for c in candidates),
        ", ".join(sorted({c.verified for c in candidates})),
    )


def _spoken(bar: Bar) -> str:
    if not bar.gates:
        return f"{bar.label} {bar.verdicts}"
    spread = f" to {bar.gates[-1]}" if bar.gates[-1] > bar.gates[0] else ""
    return f"{bar.label} {bar.gates[0]}{spread}{' chosen' * bar.chosen}{_doubt(bar)}"


def _doubt(bar: Bar) -> str:
    return "" if bar.exact else " unverified"


def _draw(figure: Figure, groups: dict[str, list[Bar]], height: float) -> None:
    labels = sorted({bar.label for bars in groups.values() for bar in bars})
    left = LETTER_PT * max(map(len, labels)) + 14
    width = WIDTH_PT - left - RIGHT_PT
    axes = figure.add_axes(
        (left / WIDTH_PT, BOTTOM_PT / height, width / WIDTH_PT, 1 - BOTTOM_PT / height)
    )
    colours = {label: COLOURS[i % len(COLOURS)] for i, label in enumerate(labels)}
    most = max((bar.gates[-1] for bars in groups.values() for bar in bars if bar.gates), default=1)
    ticks: list[float] = []
    y = 0.0
    for target, bars in groups.items():
        axes.text(-left / width * most, y + TITLE_PT * 0.65, target[:60], va="center", size=9,
                  weight="bold", backgroundcolor="white")  # fmt: skip
        y += TITLE_PT
        for bar in bars:
            middle = y + ROW_PT / 2
            _draw_bar(axes, bar, middle, colours[bar.label], most)
            ticks.append(middle)
            y += ROW_PT
    axes.set_xlim(0, max(most, 1))
    axes.set_ylim(y, 0)
    axes.set_yticks(ticks, [bar.label for bars in groups.values() for bar in bars])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.locator_params(axis="x", nbins=4)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("two-qubit gates")
    axes.grid(axis="x", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)


def _draw_bar(axes: Axes, bar: Bar, y: float, colour: str, most: int) -> None:
    if not bar.gates:
        axes.text(most * 0.02, y, bar.verdicts, va="center", color=VERMILION)
        return
    hatch = None if bar.exact else "////"
    axes.barh(y, bar.gates[0], ROW_PT * 0.72, color=colour if bar.exact else "white",
              edgecolor=colour, hatch=hatch)  # fmt: skip
    axes.plot(bar.gates, [y] * len(bar.gates), "o", markersize=3, markerfacecolor="white",
              markeredgecolor=INK, markeredgewidth=0.6, clip_on=False)  # fmt: skip
    axes.annotate(
        f"{bar.gates[0]:,}",
        (bar.gates[-1], y),
        (6, 0),
        textcoords="offset points",
        va="center",
        weight="bold" if bar.chosen else "normal",
        annotation_clip=False,
    )
