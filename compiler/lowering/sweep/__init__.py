"""SABRE from many seeds, searches from its results, and other routers beside it."""
