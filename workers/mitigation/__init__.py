"""Runs that are less noisy, or from which noise can be subtracted, beside the raw one."""
