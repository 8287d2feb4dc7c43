"""The doors: the command line and the report."""
