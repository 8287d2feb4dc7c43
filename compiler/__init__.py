"""From the rules of a game to native circuits, proven right: pure functions and values."""
