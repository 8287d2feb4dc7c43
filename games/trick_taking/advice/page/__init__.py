"""Advice as a page asks for it and shows it."""
