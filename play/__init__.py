"""Play: matches, moves, bots, and the view of each seat."""
