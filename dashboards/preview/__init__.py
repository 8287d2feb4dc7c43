"""Pictures of the dashboards, drawn by Grafana's own components without a Grafana server.

`python -m dashboards.preview --prometheus URL --postgres URL` installs what it needs from npm
(700 MB, once), bundles the page in `page/`, opens it in headless Chromium for every dashboard of
`dashboards/grafana/`, and writes `docs/dashboards/NAME.png`.

What is Grafana's own: scenes (variables, time ranges, queries, the grid, panel frames),
transformations, field overrides, units, thresholds, value mappings, and the components that draw
time series, stats, bar gauges, tables and Markdown. What stands in, because it is not
published as a package: the data sources' way from answers to data frames, the glue that makes
panel plugins of components, and the drawing of panel types that the page names below itself.
"""
