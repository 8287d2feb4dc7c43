"""Campaigns: what is measured again and again, by a schedule."""
