"""The doors: the command line, the HTTP API and the report."""
