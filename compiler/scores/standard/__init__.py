"""Standard benchmarks of hardware: circuits for a device, and figures from their counts."""
