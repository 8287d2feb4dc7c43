"""Machine code for advice: random games, and the search with open cards."""
