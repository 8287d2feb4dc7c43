"""The jobs of matches: what an oracle wants run, here or by the queue."""
