"""Batches: many jobs under one, which owns their budget and tells what came of them together."""
