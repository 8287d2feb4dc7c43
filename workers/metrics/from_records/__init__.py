"""What Prometheus is told of the records, read when it asks."""
