"""The gate-count gate: a suite of programs, the counts it is held to, and what has changed."""
