"""What commands print with `--json`, as JSON Schemas: a file a command, named after it."""
