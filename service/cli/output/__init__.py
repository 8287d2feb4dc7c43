"""Output of commands: JSON, tables, files and plots."""
