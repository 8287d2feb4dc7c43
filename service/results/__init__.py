"""Result models: one class an answer, for `--json`, HTTP, the published schemas and the tables."""
