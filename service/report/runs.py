"""The runs: what came back from the backends, job by job."""

from compiler.games import Game
from compiler.games.trick_taking import TrickTakingGame
from compiler.scoring import uniform_noise
from compiler.workload import Workload
from service.report.histogram import histogram, histogram_rows
from service.report.markup import Html, element
from service.report.selection import Entry, Selection
from service.report.signal import signal
from service.report.tables import badge, jobs_table, outcomes_table, scores_table
from workers.records import Job
from workers.scoring import counts_of

READING = (
    "Of a game, bars are the measured shares of the shots, diamonds the exact probabilities, "
    "crosses what uniform noise would give; a bar marked » ends beyond the axis. Scores are given "
    "for all shots and, post-selected, for the legal ones alone."
)
TOO_LARGE = "The game is too large for an exact distribution to compare with."
VERDICTS = {
    "signal": "Most shots follow the exact distribution.",
    "mostly noise": "Less than half of the shots follow the exact distribution.",
    "noise": "These shots cannot be told from uniform noise.",
    "unclear": "Too few shots to tell signal from noise.",
}


def runs_section(selection: Selection) -> Html:
    """Return every job with counts, then those without."""
    jobs = [(entry, job) for entry in selection.entries for job in entry.jobs]
    counted = [_run(entry, job) for entry, job in jobs if job.counts]
    others = [job for _, job in jobs if not job.counts]
    parts = counted or [element("p", "No job has brought counts back yet.")]
    if others:
        parts.append(jobs_table(others))
    return element("section", element("h2", "Runs", id="runs"), element("p", READING), *parts)


def _run(entry: Entry, job: Job) -> Html:
    compilation, chosen = job.compiled, job.compiled.chosen
    heading = element(
        "h3",
        f"{compilation.program} on {compilation.target} ({compilation.method}), "
        f"run on {job.backend}",
    )
    made = f"{compilation.method} method"
    if compilation.encoding != "none":
        made += f", {compilation.encoding} encoding"
    said = (
        f"{job.shots:,} shots on {job.backend} of the circuit for {compilation.target} by "
        f"{chosen.pipeline} ({made}) with "
        f"{chosen.two_qubit_gates or 0:,} two-qubit gates."
    )
    if compilation is not entry.compilation:
        said += " A newer compilation exists and has not been run there."
    game = entry.work.game if entry.work else None
    if entry.work is None or game is None or not job.scores:
        unscored = "" if game is None else " Not scored yet."
        bits = entry.work.program.num_clbits if entry.work else 0
        table = outcomes_table(counts_of(job), bits)
        return element("section", heading, element("p", said + unscored), table, class_="run")
    if job.scores[0].p_win_exact is None:
        words = element("p", f"{said} {_reading(game)} {TOO_LARGE}")
        return element("section", heading, words, scores_table(job.scores), class_="run")
    return _game_run(heading, said, job, entry.work, game)


def _game_run(heading: Html, said: str, job: Job, work: Workload, game: Game) -> Html:
    counts, noise = work.outcomes(counts_of(job)), uniform_noise(work)
    words = element("p", f"{said} {_reading(game)}")
    caption = Html(words + scores_table(job.scores))
    picture = histogram(histogram_rows(game, counts, noise), caption, f"job-{job.id}")
    if noise is None:
        return element("section", heading, picture, class_="run")
    fit = signal(counts, game.exact_distribution(), noise)
    verdict = element(
        "p",
        badge(fit.verdict),
        f" {VERDICTS[fit.verdict]} Share that follows the exact distribution, if all else is "
        f"uniform noise: {100 * fit.share:.0f} % (95 % interval {100 * fit.low:.0f} to "
        f"{100 * fit.high:.0f} %).",
    )
    return element("section", heading, verdict, picture, class_="run")


def _reading(game: Game) -> str:
    if not isinstance(game, TrickTakingGame):
        return game.title + "."
    cards = " ".join(map(str, game.deck))
    skat = ", or - for the skat" if game.skat else ""
    return f"{game.title}. An outcome names the owner of each card of {cards} in order{skat}."
