"""How the measurements of a match are made: exactly, or by jobs on a backend, and what was seen."""
