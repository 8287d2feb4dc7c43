"""Read models of the records: runs and their comparisons."""
