"""What all providers' backends need: their answers read with care, and paid requests guarded."""
