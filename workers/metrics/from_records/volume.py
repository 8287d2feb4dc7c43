"""Game volume of every backend."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from prometheus_client.core import Metric

from compiler.scores.game_volume import game_volume
from compiler.scores.intervals import unbiased_fidelity
from compiler.scores.scoring import normalized
from workers.metrics.family import gauge
from workers.metrics.from_records.programs import CardGame
from workers.metrics.labels import backend_label, plain
from workers.records.tables import Job
from workers.volume_ladder import LADDER

VOLUME = gauge(
    "stichwerk_benchmark_game_volume_cards",
    "Cards of the largest game whose newest run has at least this normalised fidelity",
    "backend",
    "threshold",
)


def volume_metric(
    runs: Sequence[tuple[Sequence[str], Job]], games: Mapping[str, CardGame]
) -> Metric:
    """Return the game volume of every backend that has played a game of `LADDER`, 0 for none.

    Args:
        runs: newest scored jobs of each combination, with their labels.
        games: card games by the labels of their programs.
    """
    plays: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for _, job in runs:
        compiled = job.compiled
        if (compiled.program, compiled.encoding) not in LADDER:
            continue
        game = games.get(plain(compiled.program))
        raw = next(score for score in job.scores if score.kind == "raw")
        if game is None or game.exact is None or game.noise is None:
            continue
        if raw.hellinger_fidelity is None:
            continue
        fidelity = unbiased_fidelity(raw.hellinger_fidelity, job.shots, game.exact)
        found = normalized(fidelity, game.noise)
        if found is not None:
            plays[backend_label(job.backend)].append((game.cards, found))
    family = VOLUME.read()
    for backend, found_there in plays.items():
        for threshold, cards in game_volume(found_there).items():
            family.add_metric([backend, str(threshold)], cards)
    return family
