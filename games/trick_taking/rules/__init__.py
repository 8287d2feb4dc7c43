"""Definition of a trick-taking game: cards, rules, places, steps, a setup."""
