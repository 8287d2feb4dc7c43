"""Results of the commands of families of games."""
