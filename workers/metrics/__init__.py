"""Metrics for Prometheus: of work as it is done, and of records when they are scraped.

Counters and histograms are kept by the processes that do the work: the API, every process of a
worker, and its sweeper; they are added up. Values of the database are read at each scrape of the
API, and are the same in all instances.
"""
