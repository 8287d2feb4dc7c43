"""`python -m benchmarks.long_board_game`: the longest quantum board game that a machine plays.

A game of Five in a Row of bots that take moves of every kind, from a seed. After every move all
moves so far are a job: queued, compiled, proven, run with the machine's noise, scored. Normalised
fidelity is 1 for the exact distribution of boards and 0 for uniform noise on measured cells.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen
from matplotlib.figure import Figure
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from compiler.compilation import Options
from games.board.game import BoardGame, board_toml
from games.encoding import encoded, encodings_of
from games.pictures import plain_axes
from games.sources import Source
from play.board.match import BoardMatch
from play.playable import playables
from play.tournament import steps
from service.cli.output.plots import plot_path, write_figure
from service.pages.colours import BLUE, GREEN, GREY, INK, ORANGE, PURPLE
from workers.compilation.orders import CompileOrder
from workers.jobs.request import Submission
from workers.jobs.states import FINAL, State
from workers.jobs.submission import checked, submit
from workers.queue.worker import Worker
from workers.records.database import open_database
from workers.records.tables import Job
from workers.settings import settings

GAME = "five-in-a-row"
MAX_QUBITS = 14
"""Limit of a circuit's qubits: wider ones take minutes with noise, as routing adds qubits."""
HELD = 0.5
"""Normalised fidelity down to which a game counts as held."""
COLOURS = {"stones": BLUE, "points": ORANGE, "parities": GREEN}


@frozen
class Held:
    """A machine's result for the first moves of a game.

    Args:
        number: of the last move.
        move: the last one.
        encoding: of the board.
        games: number in superposition.
        qubits: of the program.
        gates: on two qubits, of the compiled circuit.
        raw: normalised fidelity; None where noise gives the exact distribution.
        mitigated: the same with readout errors undone.
        black: ⟨C⟩ as it was measured, and exactly.
        job: its number.
    """

    number: int
    move: str
    encoding: str
    games: int
    qubits: int
    gates: int
    raw: float | None
    mitigated: float | None
    black: tuple[float, float]
    job: int


def beginnings(bots: Sequence[str], moves: int, size: int, seed: int) -> Iterator[BoardGame]:
    """Yield a seeded match of bots after each of its moves.

    Args:
        bots: who has black and white.
        moves: at most.
        size: lines of the board.
        seed: of all chance.
    """
    kind = playables[GAME]
    match = kind.start({"seed": seed, "size": size, "options": {"scheme": "cqc"}})
    sitting = {seat: kind.bots[name]() for seat, name in enumerate(bots)}
    for now in steps(match, sitting, seed):
        if isinstance(now, BoardMatch) and now.log:
            yield now.fixed(GAME)
        if len(now.log) == moves:
            return


def run(engine: Engine, game: BoardGame, encoding: str, backend: str, shots: int) -> Held | None:
    """Return a backend's result for a game; None if it would be too wide.

    Raises:
        RuntimeError: if the job fails.
    """
    qubits = encoded(game, encoding).circuit.num_qubits
    if qubits > MAX_QUBITS:
        return None
    source = Source(f"{GAME}-{len(game.moves)}.toml", board_toml(game).encode())
    order = CompileOrder(source, "", Options("fast"), encoding)
    with Session(engine) as session:
        submission = checked(Submission(order, backend, shots, seed=len(game.moves)))
        (job_id,) = (job.id for job in submit(session, settings(), submission))
    worker = Worker(engine, settings())
    while worker.advance(job_id) is not None:
        pass
    with Session(engine) as session:
        job = session.get_one(Job, job_id)
        if job.state not in FINAL or job.state != State.DONE:
            raise RuntimeError(f"job {job_id} is {job.state}: {job.error or 'unknown'}")
        scores = {score.kind: score for score in job.scores}
        raw, mitigated = scores["raw"], scores.get("mitigated")
        black = next(
            observable for observable in raw.observables if observable.name == "black_stones"
        )
        return Held(
            len(game.moves),
            game.moves[-1].written(game.size),
            encoding,
            game.position.board.games,
            qubits,
            job.compiled.chosen.two_qubit_gates or 0,
            raw.normalized_fidelity,
            None if mitigated is None else mitigated.normalized_fidelity,
            (black.measured or 0.0, black.exact or 0.0),
            job_id,
        )


def draw(results: Sequence[Held], title: str) -> Figure:
    """Draw normalised fidelity and the circuit's size by move number."""
    figure = Figure(figsize=(8, 7))
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    above.set_title(title, size=11, color=INK)
    for encoding in dict.fromkeys(row.encoding for row in results):
        own = [row for row in results if row.encoding == encoding]
        colour = COLOURS.get(encoding, PURPLE)
        for values, style, what in (
            ([(row.number, row.raw) for row in own], "-o", "as measured"),
            ([(row.number, row.mitigated) for row in own], ":", "readout errors undone"),
        ):
            points = [(number, value) for number, value in values if value is not None]
            if points:
                above.plot(*zip(*points, strict=True), style, color=colour, markersize=4,
                           label=f"{encoding}, {what}")  # fmt: skip
        numbers = [row.number for row in own]
        below.plot(numbers, [row.gates for row in own], "-", color=colour, drawstyle="steps-mid",
                   label=f"{encoding}, two-qubit gates")  # fmt: skip
        below.plot(numbers, [row.qubits for row in own], "--", color=colour,
                   drawstyle="steps-mid", label=f"{encoding}, qubits")  # fmt: skip
    above.axhline(HELD, color=GREY, linewidth=0.8)
    above.set_ylim(0, 1.02)
    above.set_ylabel("normalised fidelity")
    below.set_xlabel("move")
    # Room for the legend above the curves.
    below.set_ylim(0, 1.6 * max(max(row.qubits, row.gates) for row in results))
    below.legend(fontsize=8, frameon=False, loc="upper left", ncols=3)
    above.legend(fontsize=8, frameon=False)
    for panel in (above, below):
        plain_axes(panel)
    below.xaxis.get_major_locator().set_params(integer=True)
    figure.tight_layout()
    return figure


def lasting(results: Sequence[Held]) -> int:
    """Return the last move up to which a game was held throughout; 0 if it never was."""
    last = 0
    for row in results:
        if row.raw is not None and row.raw < HELD:
            break
        last = row.number
    return last


def main() -> None:
    """Print the table, and draw it if a file is named."""
    parser = argparse.ArgumentParser(description="Play a quantum board game on a noisy machine.")
    parser.add_argument("--backend", default="aer:boston")
    parser.add_argument("--bots", default="random,random", help="black's and white's")
    parser.add_argument("--moves", type=int, default=20)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--seed", type=int, default=32)
    parser.add_argument("--shots", type=int, default=1000)
    parser.add_argument("--encoding", action="append", help="repeat; by default all three")
    parser.add_argument("--database", default="", help="where jobs are kept; by default nowhere")
    parser.add_argument("--plot", default="", help="a .png, .svg or .pdf")
    options = parser.parse_args()
    path = plot_path(options.plot)
    print(f"{'move':>4} {'':<20} {'encoding':<9} {'games':>6} {'qubits':>6} {'gates':>6} "
          f"{'fidelity':>9} {'mitigated':>9} {'⟨C⟩':>7} {'exact':>6} {'job':>5}")  # fmt: skip
    results: list[Held] = []
    with TemporaryDirectory() as folder:
        database = options.database or f"sqlite:///{Path(folder) / 'jobs.sqlite'}"
        engine = open_database(database)
        for game in beginnings(options.bots.split(","), options.moves, options.size, options.seed):
            for encoding in options.encoding or COLOURS:
                if encoding not in encodings_of(game):
                    continue
                row = run(engine, game, encoding, options.backend, options.shots)
                if row is not None:
                    results.append(row)
                    print(_line(row), flush=True)
        engine.dispose()
    for encoding in dict.fromkeys(row.encoding for row in results):
        own = [row for row in results if row.encoding == encoding]
        print(f"{encoding}: run up to move {own[-1].number}, a normalised fidelity of {HELD} or "
              f"more up to move {lasting(own)}")  # fmt: skip
    if path is not None:
        write_figure(draw(results, f"Quantum Five in a Row on {options.backend}"), path)


def _line(row: Held) -> str:
    black, exact = row.black
    return (
        f"{row.number:>4} {row.move:<20.20} {row.encoding:<9} {row.games:>6,} {row.qubits:>6} "
        f"{row.gates:>6} {_shown(row.raw):>9} {_shown(row.mitigated):>9} {black:>7.3f} "
        f"{exact:>6.3f} {row.job:>5}"
    )


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    main()
