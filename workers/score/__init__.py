"""One number for a machine, by a suite of programs that never changes under its name."""
