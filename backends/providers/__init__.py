"""Shared parts of all providers' backends: bounded readers of answers, guards of paid requests."""
