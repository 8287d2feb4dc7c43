"""The queue: messages, turns, leases, heartbeats and sweeps."""
