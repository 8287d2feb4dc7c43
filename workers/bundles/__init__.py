"""Runs as files: everything that is needed to check and repeat them, without a database."""
