"""Five in a Row and Weiqi on quantum boards (Wu, Chen and Luo, 2021): a point is a qutrit."""

from compiler.registry import discover

discover(__name__)
