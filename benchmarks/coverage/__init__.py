"""Coverage of all intervals that the product prints."""
