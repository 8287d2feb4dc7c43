"""PromQL that several panels share.

What every instance of the API exports alike is merged by `max`; what each process counts for
itself, by `sum`.
"""

COMPILED = "program, target, method, encoding, variant"
"""Labels of the newest compilation of its kind."""

RUN = f"{COMPILED}, backend"
"""Labels of the newest job of its kind."""

ESTIMATE = f"{RUN}, observable, estimator"
"""Labels of the newest estimate of its kind."""

CHOSEN = 'program=~"$program", target=~"$target", method=~"$method"'
CHOSEN_RUN = f'{CHOSEN}, backend=~"$backend"'
"""What the variables of a dashboard select."""

OBSERVED = (
    f"max by ({RUN}) (stichwerk_benchmark_observable"
    f'{{{CHOSEN_RUN}, observable=~"$observable", selection="raw"}})'
)
"""The chosen observable of the chosen jobs, as it was measured on all shots."""

FIDELITY = "benchmark:stichwerk_normalized_fidelity_ratio:newest"
TWO_QUBIT_GATES = "benchmark:stichwerk_two_qubit_gates:newest"
LEAST_TWO_QUBIT_GATES = "benchmark:stichwerk_two_qubit_gates:least7d"
"""Recorded by `dashboards/rules/benchmarks.yml`."""

SPAN = "2m"
"""Least interval of rates of what is rare, such as jobs: one scrape after the other scatters."""

FIRING = 'count(ALERTS{alertname=~"Stichwerk.+", alertstate="firing"}) or vector(0)'


def compiled(figure: str) -> str:
    """Return a figure of the chosen compilations."""
    return f"max by ({COMPILED}) (stichwerk_benchmark_{figure}{{{CHOSEN}}})"


def run(figure: str) -> str:
    """Return a figure of the chosen jobs."""
    return f"max by ({RUN}) (stichwerk_benchmark_{figure}{{{CHOSEN_RUN}}})"


def estimate(figure: str) -> str:
    """Return a figure of the chosen estimates."""
    return f"max by ({ESTIMATE}) (stichwerk_estimate_{figure}{{{CHOSEN_RUN}}})"


def scored(figure: str, selection: str) -> str:
    """Return a score of the chosen jobs.

    Args:
        figure: which score.
        selection: of which shots, such as `raw`; a regular expression.
    """
    return (
        f"max by ({RUN}, selection) "
        f'(stichwerk_benchmark_{figure}{{{CHOSEN_RUN}, selection=~"{selection}"}})'
    )


def changed(bound: str) -> str:
    """Return a bound of how the chosen runs differ from earlier ones of the same circuit."""
    return (
        f"max by ({RUN}) "
        f'(stichwerk_benchmark_fidelity_change_ratio{{{CHOSEN_RUN}, bound="{bound}"}})'
    )


def of_the_runs(figure: str) -> str:
    """Return a figure of compilations once for every job that is the newest of its kind."""
    return f"{compiled(figure)} * on ({COMPILED}) group_right () ({run('shots')} > bool 0)"


def mean(histogram: str, by: str, window: str, labels: str = "") -> str:
    """Return the mean of what a histogram counts."""
    return (
        f"sum by ({by}) (increase({histogram}_sum{{{labels}}}[{window}])) "
        f"/ sum by ({by}) (increase({histogram}_count{{{labels}}}[{window}]))"
    )


def quantile(q: float, histogram: str, by: str, window: str, labels: str = "") -> str:
    """Return a quantile of what a histogram counts."""
    return (
        f"histogram_quantile({q}, "
        f"sum by (le, {by}) (rate({histogram}_bucket{{{labels}}}[{window}])))"
    )
