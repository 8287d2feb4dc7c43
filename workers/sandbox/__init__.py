"""Calls that may crash, hang or take too much memory, in processes that may be ended."""
