"""Compilation with records: the order, its result, and its digest."""
