"""How games of tricks can go: deals, positions, every way, the best one, a single one."""
