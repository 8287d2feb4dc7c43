"""Lowering: from operators to the native gates and edges of a target."""

import sys

from compiler.lowering.pipeline import Lowered, Pipeline, pipeline, pipelines
from compiler.registry import discover

__all__ = ["Lowered", "Pipeline", "pipeline", "pipelines"]

discover(sys.modules[__name__])
