"""The HTTP API: routes, one module a kind of request, and the parts that all share."""
