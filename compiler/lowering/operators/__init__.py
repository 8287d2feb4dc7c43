"""What is done to operators before they are synthesised."""
