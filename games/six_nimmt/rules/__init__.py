"""Cards, choices and what happens to the rows; no qubit."""
