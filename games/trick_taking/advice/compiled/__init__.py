"""What advice computes in machine code: random games, and the search with open cards."""
