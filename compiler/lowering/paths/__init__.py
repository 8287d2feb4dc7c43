"""Routing of large circuits part by part: wires move along paths, and get a qubit when needed."""
