"""Names and plurals for people; nothing heavy is loaded for it."""

NO_ENCODING = "none"
"""Stands in the place of an encoding's name for circuits."""
