"""SABRE from many seeds, what searches make of its results, and what they are compared with."""
