"""A picture of a score: a bar a part, with its interval."""

from matplotlib.figure import Figure

from service.cli.output.plot_style import COLOURS, error_bars, styled
from service.pages.colours import FAINT, GREY, INK
from workers.score.document import ScoreFile
from workers.score.parts import ScoredPart


@styled
def draw_score(document: ScoreFile) -> Figure:
    """Draw the parts of a score from 0 to 1, coloured by family, and the number as a line."""
    parts = document.parts
    families = list(dict.fromkeys(part.family for part in parts))
    figure = Figure(figsize=(8.0, 0.36 * len(parts) + 1.7))
    axes = figure.subplots()
    axes.axvspan(document.low, document.high, color=FAINT, zorder=0)
    axes.axvline(document.score, color=INK, zorder=1)
    for place, part in enumerate(parts):
        colour = COLOURS[families.index(part.family) % len(COLOURS)]
        if part.outcome != "completed" or part.score is None:
            axes.text(0.01, place, part_text(part), va="center", size=8, color=GREY)
            continue
        axes.barh(place, part.score, height=0.62, color=colour, zorder=2)
        error = error_bars([part.score], [part.low or 0.0], [part.high or 0.0])
        axes.errorbar(part.score, place, xerr=error, color=INK, zorder=3)
        axes.annotate(
            f"{part.score:.2f}, {part.two_qubit_gates} gates",
            (part.high or 0.0, place),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            size=7.5,
            color=INK,
            zorder=4,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.85},
        )
    axes.set_yticks(range(len(parts)), [part.name for part in parts])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.19)
    axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1])
    axes.set_xlabel("score of each part (0: noise, 1: exact); the line is the mean by weight")
    axes.grid(visible=False)
    axes.set_title(_title(document))
    return figure


def part_text(part: ScoredPart) -> str:
    """Return the outcome of a part, or the figures of one that has no score from 0 to 1."""
    figures = ", ".join(f"{name} {figure.value:.4g}" for name, figure in part.figures.items())
    return figures or part.outcome


def _title(document: ScoreFile) -> str:
    title = f"{document.suite} on {document.backend}"
    if not document.complete:
        return f"Score {title}: not complete"
    return f"Score {title}: {document.score:.3f} ({document.low:.3f} to {document.high:.3f})"
