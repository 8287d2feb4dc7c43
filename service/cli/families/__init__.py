"""Commands that families of games have of their own, shown like all others."""
