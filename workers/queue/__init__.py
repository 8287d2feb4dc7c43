"""Who works on which job next: messages, turns, leases, heartbeats and sweeps."""
