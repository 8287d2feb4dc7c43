"""Who may use the service, and what may be spent."""
