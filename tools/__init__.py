"""Scripts that draw and generate what `docs/` and the chart's README show."""
