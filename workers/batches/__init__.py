"""Batches: many jobs under one, which owns their budget and collects their results."""
