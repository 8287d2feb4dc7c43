"""Access to the API: tokens and limits."""
