"""Scripts that draw pictures and generate tables of `docs/` and the chart's README."""
