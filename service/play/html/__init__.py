"""Pages of matches, written on the server: they work without a script."""
