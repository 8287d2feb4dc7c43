"""The life of a job: its stages, and the records of everything that was measured."""
