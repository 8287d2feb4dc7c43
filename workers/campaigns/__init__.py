"""Campaigns: measurements on a schedule."""
