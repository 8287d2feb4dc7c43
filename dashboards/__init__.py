"""Grafana dashboards as code; `python -m dashboards` writes them to `dashboards/grafana/`."""
