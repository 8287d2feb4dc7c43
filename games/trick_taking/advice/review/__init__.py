"""Every card of a recorded game, and what each choice cost."""
