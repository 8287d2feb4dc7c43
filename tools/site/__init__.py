"""The site: the pages of `docs/` and a reference made from the code."""
