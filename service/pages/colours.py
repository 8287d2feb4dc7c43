"""Colours of plots and circuits."""

INK = "#222222"
GREY = "#6b6b6b"
FAINT = "#dddddd"
ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE = (
    "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7",
)  # fmt: skip
"""The palette of Okabe and Ito, which colour-blind people can tell apart."""
