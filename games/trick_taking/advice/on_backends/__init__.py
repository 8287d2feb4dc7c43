"""The winning chance of each card as a backend tells it: by counted shots, or by estimates."""
