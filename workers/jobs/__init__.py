"""Jobs: their states, submission, and control by users."""
