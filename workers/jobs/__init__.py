"""Jobs: their states, how they come in, and what users do to them."""
