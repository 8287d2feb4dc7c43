"""Games that are played move by move, by people and by bots."""
