"""Public bug reports and questions, rewritten as small inputs with results computed by hand."""
