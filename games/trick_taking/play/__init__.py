"""Play of trick-taking games: deals, positions, all lines, the best line, a single game."""
