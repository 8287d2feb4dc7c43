"""Status of the service: problems and their reasons, one part a module."""
