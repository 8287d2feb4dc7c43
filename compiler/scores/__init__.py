"""How well a machine has played: scores, mitigation, and comparison of runs."""
