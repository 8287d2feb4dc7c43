"""Lowering: from operators to the native gates and edges of a target."""

from compiler.lowering.draft import Draft, Pass, Property, Setting
from compiler.lowering.pipeline import Pipeline, pipeline, pipelines

__all__ = ["Draft", "Pass", "Pipeline", "Property", "Setting", "pipeline", "pipelines"]
