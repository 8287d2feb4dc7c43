"""The commands that keep running, and the processes that they start."""
