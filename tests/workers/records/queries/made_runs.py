"""Runs of machines of which a share of the shots is right, the rest uniform noise."""

from datetime import UTC, datetime, timedelta

import numpy as np

from compiler.scores.scoring import Score
from workers.records.queries.runs import Configuration, Run

START = datetime(2026, 1, 30, 22, 0, tzinfo=UTC)
KIND = Configuration("toy", "a" * 64, "heavy-hex:torino", "fast", "paper", "")
EXACT = np.array([3, 3, 1, 1, 1, 1, 1, 1]) / 12
NOISE = float(np.sqrt(EXACT / 16).sum() ** 2)
GATES = {"old": 43, "new": 40}


def run(job, signal, circuit="old", shots=2000, backend="ibm:torino", chance=None):
    """A run whose counts are drawn; seeded by its number unless a generator is given."""
    p = np.append(signal * EXACT, np.zeros(8)) + (1 - signal) / 16
    counts = (chance or np.random.default_rng(job)).multinomial(shots, p)[:8]
    fidelity = float(np.sqrt(counts / shots * EXACT).sum() ** 2)
    scores = {"raw": Score(shots, fidelity, (fidelity - NOISE) / (1 - NOISE), None, 1, {})}
    at = START + timedelta(days=job)
    return Run(
        job, 1, at, KIND, circuit, backend, "", shots, GATES.get(circuit), False, None, None, scores
    )
