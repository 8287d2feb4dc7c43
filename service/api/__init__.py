"""The HTTP API: one module a kind of request, and what they all go through."""
