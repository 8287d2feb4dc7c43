"""Compiling as the records tell it: the order, what came of it, and its digest."""
