"""Options of `run` and `submit` against noise: what they take is told, raw beside mitigated."""
