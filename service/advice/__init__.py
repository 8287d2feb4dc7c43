"""Pages that advise which card to play."""
