"""Pictures of noise: errors by calls, the value of a call, and P(win) by iterates."""

from collections.abc import Sequence
from math import asin, sqrt

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.amplitude_estimation.noise import (
    COLOURS,
    EXACT,
    Curve,
    Device,
    wanted,
    worths,
)
from games.pictures import plain_axes
from service.pages.colours import GREY, ORANGE

CLEAR = 0.2
"""Smallest difference of a probability from that of noise from which a signal is computed."""


def draw(curves: Sequence[Curve], devices: Sequence[Device], background: float) -> Figure:
    """Draw errors by calls on the left, and the value of a call of each depth on the right."""
    figure = Figure(figsize=(10.4, 5.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    _errors(left, curves, devices, background)
    # Undoing errors makes the signal larger and its scatter, too: a share alone tells no worth.
    _worth(right, [device for device in devices if not device.mitigated], background)
    plain_axes(left, right)
    return figure


def draw_chances(devices: Sequence[Device], exact: Sequence[float], background: float) -> Figure:
    """Draw P(win) after each number of iterates: theory, the exact state, devices."""
    figure = Figure(figsize=(6.6, 5.2), layout="constrained")
    axes = figure.subplots()
    _amplified(axes, devices, exact, background)
    plain_axes(axes)
    return figure


def _errors(
    axes: Axes, curves: Sequence[Curve], devices: Sequence[Device], background: float
) -> None:
    calls = np.geomspace(100, 1e5, 50)
    spread = sqrt(EXACT * (1 - EXACT))
    axes.plot(calls, spread / np.sqrt(calls), color=ORANGE, label="sampling, no noise: 1/√N")
    for device in devices:
        colour = COLOURS[device.name]
        bias = abs(device.shares[0] - EXACT)
        axes.plot(calls, np.sqrt(spread**2 / calls + bias**2), color=colour, linewidth=1.2,
                  linestyle="-." if device.mitigated else ":",
                  label=f"sampling, {device.label}")  # fmt: skip
        if device.mitigated:
            continue
        worth = max(worths(device, background))
        axes.plot(calls, spread / np.sqrt(calls * worth), color=colour, linewidth=0.8,
                  label=f"theory, {device.name}: 1/√({worth:.2f} N)")  # fmt: skip
    for curve in curves:
        axes.plot(curve.calls, curve.errors, curve.marker, color=curve.colour, markersize=4,
                  label=curve.label)  # fmt: skip
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("calls of the program, N")
    axes.set_ylabel("root mean square error of P(win)")
    _name_below(axes)


def _worth(axes: Axes, devices: Sequence[Device], background: float) -> None:
    depths = range(max(max(device.outcomes) for device in devices) + 1)
    axes.plot(depths, [2 * j + 1 for j in depths], color=GREY, label="no noise: 2j + 1")
    axes.axhline(1, color=ORANGE, label="sampling, no noise")
    for device in devices:
        s, fade = device.fidelities(background)
        colour = COLOURS[device.name]
        axes.plot(list(device.outcomes), worths(device, background), color=colour, linewidth=0.8,
                  label=f"{device.name}: (2j + 1)(s·λʲ)², s = {s:.2f}, λ = {fade:.2f}")  # fmt: skip
        levels = {
            j: (share - background) / (wanted(j) - background)
            for j, share in device.shares.items()
            if abs(wanted(j) - background) > CLEAR
        }
        axes.plot(list(levels), [(2 * j + 1) * max(f, 0) ** 2 for j, f in levels.items()], "o",
                  color=colour, markersize=4)  # fmt: skip
    axes.set_yscale("log")
    axes.set_ylim(0.05, 60)
    axes.set_xlabel("iterates j")
    axes.set_ylabel("value of a call, in calls of noiseless sampling")
    _name_below(axes)


def _amplified(
    axes: Axes, devices: Sequence[Device], exact: Sequence[float], background: float
) -> None:
    along = np.linspace(0, len(exact) - 1, 400)
    theory = np.sin((2 * along + 1) * asin(sqrt(EXACT))) ** 2
    axes.plot(along, theory, color=GREY, linewidth=0.8, label="theory, no noise: sin²((2j + 1)θ)")
    axes.plot(
        range(len(exact)), exact, "o", color=GREY, markersize=7, mfc="none", label="exact simulator"
    )
    axes.axhline(background, color=ORANGE, linewidth=0.8, label="nothing but noise")
    for device in devices:
        s, decay = device.fidelities(background)
        fading = background + s * decay**along * (theory - background)
        colour = COLOURS[device.name]
        axes.plot(along, fading, color=colour, linewidth=0.6, label=f"fit, {device.name}")
        shares = device.shares
        axes.plot(list(shares), list(shares.values()), "o", color=colour, markersize=4,
                  label=f"{device.name}, share of shots")  # fmt: skip
    axes.set_xlabel("iterates j")
    axes.set_ylabel("P(win)")
    _name_below(axes)


def _name_below(axes: Axes) -> None:
    """Name the lines under the axes, where they hide none."""
    axes.legend(fontsize=7, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2)
