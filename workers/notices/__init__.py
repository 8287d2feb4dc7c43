"""Notices to people by webhook and mail, sent beside the work."""
