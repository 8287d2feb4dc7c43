"""Whether the service can do its work, and if not, what is wrong: one part a module."""
