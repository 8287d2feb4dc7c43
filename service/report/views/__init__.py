"""The sections of the page, each made from the records."""
