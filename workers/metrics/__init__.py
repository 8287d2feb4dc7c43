"""What Prometheus is told: of work as it is done, and of what the records hold when it asks.

Counters and histograms are kept where the work is done, in the API, in every process of a worker
and in its sweeper; they are added up. What can be read from the database is read there when the
API is asked, and is the same whichever API is.
"""
