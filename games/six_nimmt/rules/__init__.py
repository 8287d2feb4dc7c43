"""Cards, choices and the handling of rows; no qubit."""
