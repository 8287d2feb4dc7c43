"""Game volume: the largest game of cards that a machine plays better than a threshold."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from prometheus_client.core import Metric

from compiler.scores.scoring import normalized
from workers.metrics.family import gauge
from workers.metrics.from_records.programs import CardGame
from workers.metrics.labels import backend_label, plain
from workers.records.tables import Job

THRESHOLDS = (0.1, 0.5)
"""Of the fidelity, with uniform noise on a register that holds the outcome at 0."""

VOLUME = gauge(
    "stichwerk_benchmark_game_volume_cards",
    "Cards of the largest game whose newest run has at least this normalised fidelity",
    "backend",
    "threshold",
)


def volume_metric(
    runs: Sequence[tuple[Sequence[str], Job]], games: Mapping[str, CardGame]
) -> Metric:
    """Return the game volume of every backend that has played a game of cards, 0 for none.

    Args:
        runs: newest scored jobs of each combination, with their labels.
        games: card games by the labels of their programs.
    """
    most: defaultdict[tuple[str, float], int] = defaultdict(int)
    for _, job in runs:
        game = games.get(plain(job.compiled.program))
        raw = next(score for score in job.scores if score.kind == "raw")
        if game is None or game.noise is None or raw.hellinger_fidelity is None:
            continue
        found = normalized(raw.hellinger_fidelity, game.noise)
        for threshold in THRESHOLDS:
            reached = game.cards if found is not None and found >= threshold else 0
            key = backend_label(job.backend), threshold
            most[key] = max(most[key], reached)
    family = VOLUME.read()
    for (backend, threshold), cards in most.items():
        family.add_metric([backend, str(threshold)], cards)
    return family
