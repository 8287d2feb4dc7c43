"""What a game of Skat is worth: game values, scores, and records of real games."""
