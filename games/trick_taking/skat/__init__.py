"""Value of games of Skat: game values, scores, and records of real games."""
