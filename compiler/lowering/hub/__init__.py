"""Scheduling of a star's hub."""
