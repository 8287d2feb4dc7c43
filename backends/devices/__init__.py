"""Files that describe a device: read, checked, and known from then on by a target's spec."""
