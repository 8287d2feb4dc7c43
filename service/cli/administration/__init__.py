"""The commands for whoever keeps the service: records, tables, tokens."""
