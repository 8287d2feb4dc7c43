"""Metrics of the records, read when Prometheus scrapes."""
