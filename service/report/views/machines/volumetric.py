"""Largest games that machines can play: cards × players."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from attrs import frozen

from service.pages.plots import Plot, Point, categories, traces
from service.pages.tables import Section, count_of, figure_of, job_link, nothing, table
from service.report.records import Records
from workers.records.queries.runs import Run

Size = tuple[int, int]
SCALE = [[0, "--cold"], [0.5, "--mild"], [1, "--warm"]]


@frozen
class Cell:
    """The run of one backend with the highest normalised fidelity on games of one size."""

    best: Run
    fidelity: float


def volumetric(records: Records) -> Section:
    """Return the best normalised fidelity and its two-qubit gates by cards, players, backend."""
    sizes = _sizes(records)
    by_backend: defaultdict[str, dict[Size, Cell]] = defaultdict(dict)
    for run in records.runs:
        size = sizes.get((run.configuration.digest, run.configuration.encoding))
        fidelity = _fidelity(run)
        if size is None or fidelity is None:
            continue
        best = by_backend[run.backend].get(size)
        if best is None or best.fidelity < fidelity:
            by_backend[run.backend][size] = Cell(run, fidelity)
    if not by_backend:
        return Section(
            "volumetric", "Cards × players", parts=[nothing("No card game has been run yet.")]
        )
    cells = dict(sorted(by_backend.items(), key=_telling))
    rows = [
        (str(cards), players, backend, cell.best.configuration.program,
         cell.best.configuration.way, figure_of(cell.fidelity),
         count_of(cell.best.two_qubit_gates, from_zero=cell.best.from_zero),
         job_link(cell.best.job, records.linked))
        for backend, of_backend in cells.items()
        for (cards, players), cell in sorted(of_backend.items())
    ]  # fmt: skip
    columns = ("cards", "players", "backend", "program", "circuit", "best normalised fidelity",
               "two-qubit gates", "job")  # fmt: skip
    return Section(
        "volumetric",
        "Cards × players",
        "Best normalised fidelity for each size of game. Larger games need more gates.",
        [_plot(cells, sizes.values()), table("Best run for each size and backend", columns, rows)],
    )


def _plot(cells: Mapping[str, Mapping[Size, Cell]], sizes: Collection[Size]) -> Plot:
    """Return a square for each size, by backend."""
    points = [
        Point(backend, str(cards), str(players), (cell.fidelity, cell.best.two_qubit_gates),
              text=f"{cell.fidelity:.2f}<br>{cell.best.two_qubit_gates or 0:,} 2q", choice=choice)
        for choice, (backend, of_backend) in enumerate(cells.items())
        for (cards, players), cell in sorted(of_backend.items())
    ]  # fmt: skip
    return Plot(
        "volumetric-cells",
        "Best normalised fidelity by size of the game",
        "Best normalised fidelity on the selected backend for each number of cards and players, "
        "with the two-qubit gates of the circuit. The table has all backends.",
        traces(points, "%{x} cards, %{y} players: %{text}", lambda name: _look(cells[name]),
               legend=False, mode="markers+text"),
        {
            "xaxis": _numbers("cards", {cards for cards, _ in sizes}),
            "yaxis": _numbers("players", {players for _, players in sizes}),
        },
        340,
        list(cells),
        "backend",
    )  # fmt: skip


def _fidelity(run: Run) -> float | None:
    """Return a run's raw normalised fidelity, if it is known."""
    score = run.scores.get("raw")
    return None if score is None else score.normalized_fidelity


def _numbers(title: str, numbers: set[int]) -> dict[str, Any]:
    """Return an axis with one place for each number, and room for a square around the ends."""
    names = [str(number) for number in sorted(numbers)]
    return categories(names, title={"text": title}, range=[-0.6, len(names) - 0.4])


def _telling(item: tuple[str, dict[Size, Cell]]) -> tuple[int, float]:
    """Order backends by how many sizes they ran, and perfect simulators last."""
    cells = item[1].values()
    return -len(cells), max(cell.fidelity for cell in cells)


def _sizes(records: Records) -> dict[tuple[str, str], Size]:
    """Return cards and players of every card game, by digest and encoding."""
    sizes = {}
    compilations = {run.configuration: run.compilation_id for run in records.runs}
    for configuration, compilation in compilations.items():
        program = records.programs.of(configuration, compilation)
        if program is not None and program.size is not None:
            sizes[configuration.digest, configuration.encoding] = program.size
    return sizes


def _look(cells: Mapping[Size, Cell]) -> dict[str, Any]:
    """Return squares in the colours of the fidelities."""
    marker = {
        "symbol": "square",
        "size": 64,
        "color": [max(0, cell.fidelity) for _, cell in sorted(cells.items())],
        "cmin": 0,
        "cmax": 1,
        "colorscale": SCALE,
        "showscale": True,
        "colorbar": {"thickness": 10, "outlinewidth": 0, "title": {"text": "fidelity"}},
    }
    return {"textfont": {"size": 12, "color": "--on-cell"}, "marker": marker}
