"""The requests that the API answers, one module a kind."""
