"""`python -m benchmarks.amplitude_estimation`: estimators with noise, and compared without.

For example `python -m benchmarks.amplitude_estimation --compare 200`.
"""

import argparse
from pathlib import Path

from benchmarks.amplitude_estimation.comparison import SHOTS, print_comparison
from benchmarks.amplitude_estimation.noise import (
    COLOURS,
    EXACT,
    curves,
    exact_probabilities,
    measured,
    told,
)
from benchmarks.amplitude_estimation.picture import draw, draw_chances
from compiler.amplification.event import Event
from compiler.amplification.iterate import amplified
from games import encoded, named_game
from service.cli.output.plots import plot_path, write_figure


def main() -> None:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.amplitude_estimation", description=__doc__
    )
    parser.add_argument("--device", action="append", choices=list(COLOURS))
    parser.add_argument("--shots", type=int, default=20_000, help="for each number of iterates")
    parser.add_argument(
        "--iterates", type=int, choices=range(1, 17), default=8, metavar="N", help="up to so many"
    )
    parser.add_argument("--plot", default="", help="draw it to a .png, .svg or .pdf")
    parser.add_argument("--chances", default="", help="draw P(win) by iterates, likewise")
    parser.add_argument(
        "--compare",
        type=int,
        default=0,
        metavar="SEEDS",
        help="instead, print calls and coverage of all estimators without noise",
    )
    parser.add_argument(
        "--probability", type=float, default=EXACT, help="that is estimated with --compare"
    )
    parser.add_argument(
        "--round-shots", type=int, default=SHOTS, help="of each round with --compare"
    )
    options = parser.parse_args()
    if options.compare:
        print_comparison(options.probability, options.compare, options.round_shots)
        return
    path: Path | None = plot_path(options.plot)
    chances: Path | None = plot_path(options.chances)
    oracle = amplified(Event(encoded(named_game("skat-4"), "lean"), "win"))
    background = oracle.event.share_of_noise()
    exact = exact_probabilities(oracle, options.iterates)
    devices = [
        measured(oracle, name, options.shots, options.iterates)
        for name in options.device or COLOURS
    ]
    both = told(devices, background)
    if chances is not None:
        write_figure(draw_chances(devices, exact, background), chances)
    drawn = draw(curves(background, both), both, background)
    if path is not None:
        write_figure(drawn, path)


if __name__ == "__main__":
    main()
