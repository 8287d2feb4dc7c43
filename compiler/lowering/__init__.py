"""Lowering: from operators to the native gates and edges of a target."""

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.passes import Pass, Property
from compiler.lowering.pipeline import Pipeline, pipeline, pipelines

__all__ = ["Draft", "Pass", "Pipeline", "Property", "Setting", "pipeline", "pipelines"]
