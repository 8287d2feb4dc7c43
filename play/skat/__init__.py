"""Matches of Skat: evenings of games with bidding, against bots that advise themselves."""

import play.skat.match  # noqa: F401 - registers the game; advice loads Numba when it is needed
