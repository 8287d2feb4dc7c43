"""The command line before any command is chosen."""
