"""The commands `records` and `replay`: storage, export and replay of runs."""
