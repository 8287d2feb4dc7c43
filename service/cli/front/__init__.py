"""What `stichwerk` says before any command is chosen."""
