"""The picture of the command `estimate`: counts and costs."""

from math import asin, pi, sin, sqrt

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from compiler.errors import InputError
from compiler.scores.intervals import normal_quantile
from games.pictures import plain_axes
from service.pages.colours import BLUE, GREY, INK, ORANGE
from service.results.jobs.estimates import JobEstimate
from workers.estimation.request import as_share
from workers.records.tables import Job

POINTS = 400


def draw_estimate(job: Job) -> Figure:
    """Draw shares of the event by iterates on the left, errors by calls on the right.

    Args:
        job: an estimate that is done.

    Raises:
        InputError: if its exact value is unknown.
    """
    request, result = job.request, job.result
    assert request is not None, "an estimate was requested"
    assert result is not None, "only estimates that are done are drawn"
    if result["exact"] is None or result["sampling_calls"] is None:
        raise InputError(
            f"job {job.id}: the exact value is unknown, so the estimate cannot be "
            "compared; leave out the plot"
        )
    shares = JobEstimate.model_validate(as_share(request["observable"], result))
    figure = Figure(figsize=(9.6, 3.9), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    _shares(left, shares)
    _errors(right, shares, request["confidence"])
    plain_axes(left, right)
    figure.suptitle(
        f"{shares.title} of {job.program} ({shares.encoding}): {shares.estimate:.4f}, exact "
        f"{shares.exact:.4f}; {request['estimator']} estimation on {job.backend}",
        fontsize=10, color=INK,
    )  # fmt: skip
    return figure


def _shares(axes: Axes, estimated: JobEstimate) -> None:
    assert estimated.exact is not None, "only estimates with an exact value are drawn"
    deepest, angle = max(estimated.deepest, 1), asin(sqrt(estimated.exact))
    places = [deepest * i / POINTS for i in range(POINTS + 1)]
    axes.plot(places, [sin((2 * j + 1) * angle) ** 2 for j in places], color=GREY, linewidth=0.8,
              label="theory, sin²((2j + 1)θ)")  # fmt: skip
    counted: dict[int, list[int]] = {}
    for each in estimated.rounds:
        if each.hits is not None:
            sums = counted.setdefault(each.iterates, [0, 0])
            sums[0] += each.hits
            sums[1] += each.shots
    if counted:
        shares = [hits / shots for hits, shots in counted.values()]
        bars = [sqrt(max(p * (1 - p), 1 / n) / n)
                for p, (_, n) in zip(shares, counted.values(), strict=True)]  # fmt: skip
        axes.errorbar(list(counted), shares, bars, fmt="o", color=BLUE, markersize=4,
                      label="measured, ± one standard error")  # fmt: skip
    axes.set_xlabel("iterates j")
    axes.set_ylabel(estimated.title)
    axes.set_ylim(-0.04, 1.25)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.legend(fontsize=8, frameon=False, loc="upper left", ncols=2)


def _errors(axes: Axes, estimated: JobEstimate, confidence: float) -> None:
    calls, sampling, z = estimated.calls, estimated.sampling_calls, normal_quantile(confidence)
    assert sampling is not None, "only estimates with an exact value are drawn"
    half = (estimated.high - estimated.low) / 2
    spread = half * sqrt(sampling) / z
    ends = [100, 2 * max(calls, sampling, 100)]
    axes.plot(ends, [z * spread / sqrt(n) for n in ends], color=ORANGE,
              label="sampling, ∝ 1/√N")  # fmt: skip
    axes.plot(ends, [z * pi * spread / n for n in ends], color=GREY,
              linestyle=":", label="∝ 1/N, for the slope")  # fmt: skip
    axes.plot([calls], [half], "o", color=BLUE, label="this estimate")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("calls of the program, N")
    axes.set_ylabel(f"half of the {confidence:.0%} interval")
    axes.legend(fontsize=8, frameon=False)
