"""How often the intervals that are printed hold what they are of."""
