"""Results about jobs and compilations."""
