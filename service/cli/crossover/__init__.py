"""The command `crossover`."""
