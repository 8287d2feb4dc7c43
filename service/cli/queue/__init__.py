"""The commands about jobs in the queue."""
